"""The vocabulary of the invented world: common words in falling order of use, and parts of names."""

NOUNS = """
report government company year plan council market region project group school service budget office river
road bridge harbour hospital factory farm station university court election ministry agency programme industry
committee contract worker union price trade export import harvest forest valley coast island mountain lake
airport railway line tunnel dam power water energy gas oil coal mine steel grain wheat cotton coffee fish cattle
timber tourism visitor hotel museum theatre festival library archive church castle palace square park garden stadium
team season match coach champion medal player student teacher doctor nurse engineer scientist researcher survey
study sample result method data system network computer software satellite signal machine vehicle engine battery
vaccine disease patient treatment clinic insurance pension tax loan bank fund investor share profit loss debt rate
currency inflation growth crisis reform law bill treaty agreement border customs police army navy prison judge lawyer
witness trial verdict appeal protest strike campaign party leader minister president deputy senator mayor governor
resident neighbour family child household housing rent building tower street district suburb village drought flood
storm earthquake fire climate temperature rainfall emission pollution waste species habitat bird whale wolf orchard
""".split()

ADJECTIVES = """
new large local national public major small old early late high low regional private recent annual former foreign
central northern southern eastern western rural urban coastal industrial financial political legal medical technical
digital historic modern independent joint federal municipal temporary permanent strict narrow broad heavy light cheap
costly rare common popular famous remote crowded fertile dry wet cold warm severe mild steady sudden rapid slow
controversial ambitious modest unusual ordinary detailed preliminary final formal informal seasonal shared empty
""".split()

VERBS = """
announced approved built opened closed expanded reduced signed published rejected delayed completed reviewed financed
bought sold repaired designed restored tested replaced supported criticised proposed measured recorded reached lost
gained cut raised launched ended renewed extended suspended promised demanded blocked moved joined left won hosted
inspected surveyed recovered abandoned rescued protected planted harvested shipped exported imported leased rebuilt
""".split()

SYLLABLES = """
al an ar bel bor bri cal cor dal dor el fen gar gol hal hel ir jor kal kel kor lan len lor mar mel mir mon nal nor ol
or pel per qua ral ren ril ros sal sen sol tal tam tar ter tor ul val ven ver vil wen wil yar zan zel
""".split()

TOWN_ENDINGS = "a o ia ford haven burg mouth wick stad dale ton by".split()
RIVER_ENDINGS = "e en is ra una".split()
REGION_ENDINGS = "land mark shire ora eth".split()
GIVEN_NAMES = """
Ada Agnes Albert Amara Anton Beatrix Boris Carla Cedric Clara Dario Dina Edith Emil Esther Farid Felix Greta Hana
Hugo Ida Igor Ines Ivan Jana Jonas Karin Kofi Lena Leo Lydia Marek Marta Milo Nadia Nils Olga Oscar Paula Piotr Rosa
Ruben Selma Simon Tamar Theo Vera Viktor Wanda Yusuf
""".split()
SURNAME_ENDINGS = "sen son ski ova ez ini mann er".split()
BODIES = (
    """
Council|Institute|Chamber of Commerce|University|Port Authority|Steelworks|Historical Society|Water Board|Transport
Union|Farmers' Association|Broadcasting Company|Academy of Sciences|Investment Bank|Football Club|Museum of Art
""".replace("\n", " ")
    .strip()
    .split("|")
)
