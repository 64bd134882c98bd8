"""The article behind "Check an example" on the start page: written for it, with some claims that are wrong."""

EXAMPLE = """# Three islands in numbers

Iceland is an island country in the North Atlantic. Its capital is Reykjavik. The highest point in Iceland is
Hvannadalshnukur, at 2,110 metres. The life expectancy at birth in Iceland is about 83 years.

New Zealand lies in the South Pacific. Its capital is Auckland. The highest point in New Zealand is Aoraki-Mount Cook, at
4,724 metres. English, Maori and New Zealand Sign Language are its official languages.

The capital of Cuba is Havana. Cuba shares a land border with Haiti. Few places are as beautiful as its coast, and tourism
may grow again next year.
"""
