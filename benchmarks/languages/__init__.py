"""Full-text search in many languages: manuals in translation, fetched as packages of Debian."""
