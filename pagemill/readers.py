"""What a package of one's own needs to add a format: see docs/formats.md."""

from schemas.errors import DocumentError as DocumentError
from tasks.parse.io.added_formats import Html as Html
from tasks.parse.io.added_formats import Markdown as Markdown
