"""The database: tables, migrations, and the runs saved in them."""
