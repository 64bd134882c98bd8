"""The article behind "Check an example" on the start page: written for it, with some claims that are wrong."""

EXAMPLE = """# Three islands in numbers

Iceland is an island country in the North Atlantic. Its capital is Reykjavik, and the krona is its currency. About 360,000
people live there. The highest point is Hvannadalshnukur, at 2,110 metres.

New Zealand lies in the South Pacific. Its capital is Auckland. The highest point is Aoraki, also called Mount Cook, at
3,724 metres. English, Maori and New Zealand Sign Language are its official languages.

The capital of Cuba is Havana. Cuba shares a land border with Haiti. Few places are as beautiful as its coast, and tourism
may grow again next year.
"""
