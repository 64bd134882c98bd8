"""(Claim, passages) → what each passage says about the claim. One file a judge; comparisons beside it."""
