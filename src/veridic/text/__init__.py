"""Reading English: sentences, words, numbers, dates and names. Pure, and shared by all stages."""
