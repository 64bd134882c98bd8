"""Names of countries: what "the country" can stand for."""

COUNTRIES = frozenset(
    """
    Afghanistan;Albania;Algeria;Andorra;Angola;Antigua and Barbuda;Argentina;Armenia;Australia;Austria;Azerbaijan;Bahrain;Bangladesh;
    Barbados;Belarus;Belgium;Belize;Benin;Bhutan;Bolivia;Bosnia and Herzegovina;Botswana;Brazil;Brunei;Bulgaria;
    Burkina Faso;Burma;Burundi;Cabo Verde;Cambodia;Cameroon;Canada;Cape Verde;Chad;Chile;China;Colombia;Comoros;Costa Rica;
    Croatia;Cuba;Cyprus;Czechia;Denmark;Djibouti;Dominica;East Timor;Ecuador;Egypt;El Salvador;England;Equatorial Guinea;
    Eritrea;Estonia;Eswatini;Ethiopia;Fiji;Finland;France;Gabon;Georgia;Germany;Ghana;Greece;Greenland;Grenada;Guatemala;
    Guinea;Guinea-Bissau;Guyana;Haiti;Honduras;Hungary;Iceland;India;Indonesia;Iran;Iraq;Ireland;Israel;Italy;Ivory Coast;
    Côte d'Ivoire;Jamaica;Japan;Jordan;Kazakhstan;Kenya;Kiribati;Kosovo;Kuwait;Kyrgyzstan;Laos;Latvia;Lebanon;Lesotho;
    Liberia;Libya;Liechtenstein;Lithuania;Luxembourg;Madagascar;Malawi;Malaysia;Mali;Malta;Mauritania;Mauritius;Mexico;
    Micronesia;Moldova;Monaco;Mongolia;Montenegro;Morocco;Mozambique;Myanmar;Namibia;Nauru;Nepal;New Zealand;Nicaragua;
    Niger;Nigeria;North Korea;North Macedonia;Northern Ireland;Norway;Oman;Pakistan;Palau;Palestine;Panama;
    Papua New Guinea;Paraguay;Peru;Poland;Portugal;Qatar;Romania;Russia;Rwanda;Saint Kitts and Nevis;Saint Lucia;Samoa;
    San Marino;Sao Tome and Principe;São Tomé and Príncipe;Saudi Arabia;Scotland;Senegal;Serbia;Sierra Leone;Singapore;
    Slovakia;Slovenia;Somalia;South Africa;South Korea;South Sudan;Spain;Sri Lanka;Sudan;Suriname;Sweden;Switzerland;Syria;
    Taiwan;Tajikistan;Tanzania;Thailand;Timor-Leste;Togo;Tonga;Trinidad and Tobago;Tunisia;Turkey;Türkiye;Turkmenistan;
    Tuvalu;Uganda;Ukraine;Uruguay;Uzbekistan;Vanuatu;Vatican City;Venezuela;Vietnam;Wales;Yemen;Zambia;Zimbabwe
    """.replace("\n", "")
    .replace("    ", "")
    .split(";")
)

WITH_ARTICLE = frozenset(
    "Bahamas;Central African Republic;Czech Republic;Democratic Republic of the Congo;Dominican Republic;European Union;Gambia;"
    "Holy See;Maldives;Marshall Islands;Netherlands;Philippines;Republic of the Congo;Republic of Ireland;Seychelles;"
    "Solomon Islands;Soviet Union;United Arab Emirates;United Kingdom;United States;United States of America;UK;US;U.S.;"
    "U.K.;USA;UAE".split(";")
)
"""Countries (and what is spoken of as one) that take "the"."""
