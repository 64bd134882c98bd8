"""The modes: they wire the stages together and yield events. No database here."""
