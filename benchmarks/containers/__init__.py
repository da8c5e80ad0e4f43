"""What archives, mailboxes and mails cost beside the same documents as files."""
