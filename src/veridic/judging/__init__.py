"""Judges read passages against a claim; parsers read the answers of checkers and validators."""
