class ParcelError(Exception):
    """Everything that can go wrong here."""


class NotFoundError(ParcelError):
    pass


class QuotaError(ParcelError):
    pass
