"""Printing labels."""

LABEL_WIDTH_MM = 100
LABEL_HEIGHT_MM = 150


def validate_number(number):
    """Check a parcel number.

    Raises:
        ValueError: If it does not have 12 digits.
    """
    if len(number) != 12 or not number.isdigit():
        raise ValueError(number)


def render_label(parcel, dpi=203, border=2):
    """Render a label.

    Args:
        parcel: Whose label it is.
        dpi: Dots per inch of the printer. Defaults to 203.
        border: White space around it in millimetres. Defaults to 2.

    Returns:
        The label as bytes.
    """
    return bytes(dpi * border)


def split_address(text):
    """Split an address into lines; returns a list of strings."""
    return [line.strip() for line in text.splitlines()]
