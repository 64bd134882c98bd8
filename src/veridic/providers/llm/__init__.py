"""Language models: one interface, the providers behind it, and what each call costs."""
