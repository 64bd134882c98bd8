"""Evidence and judgements → a decision. Pure: every rule here can be tested with a table of cases."""
