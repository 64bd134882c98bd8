"""The records of every check: tables, migrations, and the runs saved in them."""
