"""The pages of the documentation that are made from the code whenever the site is built, so that they are never stale."""
