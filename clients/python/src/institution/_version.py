"""The release of the service that this client was made from."""

__version__ = "0.28.0"
