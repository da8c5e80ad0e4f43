"""Where bytes and tables lie: files, staging, Lance tables, locks, published generations. This room is all input and output."""

from schemas.corpus import STORES
from tasks.store.objects.paths import SCHEME, parse_store_uri

STORES[SCHEME] = parse_store_uri
