"""Containers: files that hold documents, such as archives and mailboxes. What is in them is listed and read without unpacking."""
