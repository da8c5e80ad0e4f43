"""What a package of one's own needs to add a kind of source: see docs/sources.md."""

from schemas.errors import InputError as InputError
from schemas.errors import StoreError as StoreError
from schemas.options.sources import SourceOptions as SourceOptions
from tasks.store.sources.logins import Login as Login
from tasks.store.sources.source import ListedFile as ListedFile
from tasks.store.sources.source import Source as Source
from tasks.store.sources.source import SourceListing as SourceListing
from tasks.store.sources.source import make_content_number as make_content_number
