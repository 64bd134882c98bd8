"""Everything that can be set from outside."""

import os

PORT = int(os.environ.get("PARCEL_PORT", "8080"))
LOG_LEVEL = os.environ.get("PARCEL_LOG_LEVEL", "info")
TOKEN = os.environ["PARCEL_TOKEN"]
CACHE_DIR = os.getenv("PARCEL_CACHE_DIR", "/var/cache/parcel")
MAX_UPLOAD_BYTES = 10 * 1024 * 1024
