"""Data as text: JSON, JSON lines, XML, subtitles, notebooks."""
