"""What all modes share: the order, the evidence, the readers and the loop that checks one claim."""
