"""Commands that keep a corpus whole: verify, repair, backup, restore."""
