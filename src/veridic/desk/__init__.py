"""People at the desk: accounts, lifecycle, assignment, verification, review, publishing."""
