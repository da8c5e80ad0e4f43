"""Mail: the headers, the text and the attachments of a message, whatever program wrote it."""
