"""A value for tests of arguments."""


class Marker:
    """A value that JSON cannot say."""
