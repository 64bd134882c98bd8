"""English verbs as data: which words can be a verb, and in which form."""

from enum import Flag, auto


class Form(Flag):
    """What a word form can be; one spelling may be several."""

    BASE = auto()
    THIRD = auto()
    PAST = auto()
    PARTICIPLE = auto()
    ING = auto()


BE = frozenset("is are was were am isn't aren't wasn't weren't".split())
HAVE = frozenset("has have had hasn't haven't hadn't".split())
DO = frozenset("does do did doesn't don't didn't".split())
MODALS = frozenset(
    "can could may might must shall should will would cannot can't couldn't mustn't shouldn't won't wouldn't "
    "mightn't needn't".split()
)
AUXILIARIES = BE | HAVE | DO | MODALS

_REGULAR = frozenset(
    """
    abandon abolish absorb accelerate accept accompany account accuse achieve acquire act adapt add address adjoin
    administer admit adopt advance advise advocate affect affirm agree aid aim alarm allege allow alter amend amount
    announce annex answer anticipate appeal appear apply appoint approach approve argue arrange arrest arrive assassinate
    assert assess assign assist assume assure attach attack attain attempt attend attract attribute author authorise
    authorize average avoid award back ban base bathe believe belong benefit boast bomb boost border brand breach
    broaden burn call campaign cancel capture carry cause cease celebrate challenge champion change charge chart check
    circle cite claim classify clear climb close co-found coin collaborate collapse collect colonise colonize combine
    command commence comment commission commit compare compete compile complain complete comprise compose conclude
    condemn conduct confirm confiscate connect conquer consider consist constitute construct consult consume contain
    continue contract contribute control convert convict cool co-write corroborate count cover crash create criticise
    criticize cross crown culminate cultivate cure cut damage date debut decide declare decline decrease defeat defend
    define delay deliver demand demolish demonstrate denounce deny depart depend deploy deport depose derive descend
    describe design designate destroy detain detect determine develop devote die differ direct disappear disclose
    discover discuss dismiss dispatch display displace dispute dissolve distribute divert divide divorce dominate donate
    double draft drain drop dry earn edit educate elect eliminate embark emerge emigrate emit employ empty enable enact
    encompass encounter end endorse enforce engage enjoy enlarge enroll enrol ensure enter entitle equal erect erupt
    escape establish estimate evacuate evolve exceed exchange execute exert exist expand expect expel experience expire
    explain explode exploit explore export expose express extend extract face fail favor favour feature ferment
    fill film finance finish fire fix flank float flow focus follow force forge form formulate found free frame fuel
    function fund gain garner gather generate govern grant graduate guarantee guard guide halt halve handle happen harm
    harvest head heat help highlight hire honor honour host house hunt identify ignite ignore illustrate imagine
    immigrate impact implement import impose imprison improve inaugurate include incorporate increase incur indicate
    induce infect inflict influence inform inhabit inherit inhibit initiate inject injure insist inspect inspire install
    institute insure integrate intend interact interview introduce invade invent invest investigate invite involve
    isolate issue join jump justify kill knock label lack land last launch legalise legalize level liberate lie licence
    license lift limit line link list live lobby locate lock lower maintain manage manufacture march mark marry match
    matter measure melt mention merge migrate mine miss mix monitor mount move murder name narrow need neglect negotiate
    nominate note number obey obtain occupy occur offer open operate oppose order organise organize originate oust outlaw
    outline outnumber outperform outrank overlook oversee overturn own pass patent peak perform permit persuade pioneer
    place plan plant play pledge plunge point pollute populate portray possess post pour practise practice praise precede
    predate predict prefer prepare prescribe present preserve preside press prevail prevent proceed process proclaim
    produce profit progress prohibit project promise promote prompt propose prosecute prosper protect protest prove
    provide publish pull pump purchase pursue push qualify quadruple question quote raid raise range rank rate ratify
    reach react realise realize receive recall recognise recognize recommend record recover recruit recycle reduce refer
    reflect reform refuse refute regain regard register regulate reign reject relate relaunch release relocate rely
    remain remark remove rename renew renounce renovate repeal replace report represent request require rescue
    research reserve reside resign resist resolve respond restore restrict result resume retain retire retreat return
    reunite reveal reverse revert review revise revoke reward roam rule rush sail sanction save scale schedule score
    scrap secede secure seek seem seize select separate serve settle shape share shift ship shock shoot shorten shout sign
    slash slip slow smoke smuggle soar solve span spark specialise specialize sponsor spread stabilise stabilize
    stage star start state stay stem stop store straddle strengthen stress stretch strip struggle study submit succeed
    suffer suggest sue supply support suppress surge surpass surrender surround survey survive suspect suspend sustain
    switch symbolise symbolize target tax team terminate test testify tie top total touch tour track trade train
    transfer transform translate transmit transport travel treat trigger triple trust tumble turn unify unite unveil
    update urge use utilise utilize vaccinate value vanish vary venture veto view violate visit voice vote vow wage wait
    walk want warm warn wash watch weaken weigh welcome widen witness work worry worsen wrap yield zone
    outpace outsell accrue adorn overlap intersect encircle traverse irrigate nationalise nationalize privatise privatize
    legislate accede cede devalue redenominate peg overthrow co-host headquarter enshrine inscribe excavate domesticate
    speculate pretend wonder doubt fear hope love like hate enjoy admire regret appreciate dislike thank
    insinuate imply assert reiterate emphasise emphasize add contend maintain acknowledge concede boast
    boil evaporate orbit rotate power breathe digest bloom hatch hibernate rust repel taste smell revolve condense smelt
    decay mutate replicate circulate vibrate collide clone clot cough sneeze ache heal faint thrive flourish flood
    cluster line nestle perch overlook adjoin abut snake meander wind skirt fringe dot
    supplement complement realise perish
    look talk ask guess remember try disagree owe wish care learn deserve object notice encourage apologise apologize
    repeat accomplish applaud salute associate threaten tend volunteer figure persist sacrifice indict examine
    participate resent uphold enhance debate remind listen outsource analyse analyze evade convince commend betray plead pose
    blame distort concur enlist grab chair intercept joke defy drill notify proliferate stimulate abide congratulate
    repudiate exempt bury clarify lecture step staff chase paint embrace empower exile jail modify mislead file mandate
    tell bother click download install configure verify ensure contact subscribe
    """.split()
)

_IRREGULAR: dict[str, tuple[str, str]] = {
    base: (past, participle)
    for base, past, participle in (
        line.split()
        for line in """
        arise arose arisen
        bear bore born
        beat beat beaten
        become became become
        begin began begun
        bend bent bent
        bid bid bid
        bind bound bound
        bite bit bitten
        blow blew blown
        break broke broken
        breed bred bred
        bring brought brought
        broadcast broadcast broadcast
        build built built
        burst burst burst
        buy bought bought
        cast cast cast
        catch caught caught
        choose chose chosen
        come came come
        cost cost cost
        cut cut cut
        deal dealt dealt
        dig dug dug
        draw drew drawn
        drink drank drunk
        drive drove driven
        eat ate eaten
        fall fell fallen
        feed fed fed
        feel felt felt
        fight fought fought
        find found found
        flee fled fled
        fly flew flown
        forbid forbade forbidden
        forecast forecast forecast
        forget forgot forgotten
        freeze froze frozen
        get got got
        give gave given
        go went gone
        grow grew grown
        hang hung hung
        hear heard heard
        hide hid hidden
        hit hit hit
        hold held held
        hurt hurt hurt
        keep kept kept
        know knew known
        lay laid laid
        lead led led
        leave left left
        lend lent lent
        let let let
        lie lay lain
        light lit lit
        lose lost lost
        make made made
        mean meant meant
        meet met met
        outgrow outgrew outgrown
        mislead misled misled
        overcome overcame overcome
        uphold upheld upheld
        forego forewent foregone
        overtake overtook overtaken
        overthrow overthrew overthrown
        pay paid paid
        put put put
        quit quit quit
        read read read
        rebuild rebuilt rebuilt
        ride rode ridden
        ring rang rung
        rise rose risen
        run ran run
        say said said
        see saw seen
        seek sought sought
        sell sold sold
        send sent sent
        set set set
        shake shook shaken
        shed shed shed
        shine shone shone
        shoot shot shot
        show showed shown
        shrink shrank shrunk
        shut shut shut
        sing sang sung
        sink sank sunk
        sit sat sat
        sleep slept slept
        speak spoke spoken
        spend spent spent
        split split split
        spread spread spread
        spring sprang sprung
        stand stood stood
        steal stole stolen
        stick stuck stuck
        strike struck struck
        swear swore sworn
        sweep swept swept
        swim swam swum
        swing swung swung
        take took taken
        teach taught taught
        tear tore torn
        tell told told
        think thought thought
        throw threw thrown
        undergo underwent undergone
        understand understood understood
        undertake undertook undertaken
        wake woke woken
        wear wore worn
        weave wove woven
        win won won
        withdraw withdrew withdrawn
        withstand withstood withstood
        write wrote written
        """.strip().splitlines()
    )
}

NOUN_LIKE = frozenset(
    """
    accounts acts addresses advances aims answers appeals approaches arrests attacks attempts averages awards backs bans
    bases benefits bids blows bombs boosts borders brands breaks broadcasts builds burns buys calls campaigns casts
    catches causes challenges champions changes charges charts checks circles claims climbs closes collapses commands
    comments commissions comments contracts controls costs counts covers crashes crosses crowns cures cuts damages dates
    deals debuts declines decreases delays demands designs directs displays disputes doubles doubts drafts drains draws
    dreams drinks drives drops ends estimates exchanges exercises experiences exploits exports extracts faces falls fears
    features feeds fights fills films finances fires flows focuses forces forecasts forges forms frames fuels
    functions funds gains grants guarantees guards guides halts hands harms harvests heads heats helps highlights hires
    hits honors honours hopes hosts houses hunts impacts imports increases influences interviews invites issues
    joins judges jumps kicks kills knocks labels lands lasts launches leads leaves levels licences licenses
    lifts lights likes limits lines links lists lives loans locks looks losses loves marches marks matches matters means
    measures meets mines mixes moves murders names needs notes numbers offers opens orders outlines passes patents pays
    peaks permits places plans plants plays pledges points posts practices presents presses processes profits
    programs projects promises protests pulls pumps purchases pushes questions quotes raids raises ranges ranks rates
    reaches reads reaches reforms reigns releases remains remarks reports requests rescues reserves rests results retreats
    returns reviews rewards rides rings rises rules runs rushes sails sanctions scales schedules scores scraps
    seats sets shakes shapes shares shifts ships shocks shoots shots shouts shows signs sinks slips
    smokes sounds spans sparks splits sponsors spreads springs stages stands stars starts states stays stems
    steps sticks stocks stops stores stresses stretches strikes strips struggles studies supplies supports surges
    surveys suspects swings switches talks targets tastes taxes teams tests thanks ties tops totals
    touches tours tracks trades trains transfers transports travels treats triggers trusts turns updates uses
    values ventures vetoes views visits voices votes wages waits walks wars warns watches waters waves wins
    wishes witnesses works worries wraps yields zones
    """.split()
)
"""Spellings in -s that are at least as often a plural noun: their neighbours have to decide."""

INTRANSITIVE = frozenset(
    "appeared arrived became began belonged came collapsed competed consisted debuted departed died disappeared dropped "
    "emerged emigrated erupted existed flourished thrived listened looked talked tried fell fled flew graduated grew happened immigrated lasted lived migrated moved "
    "occurred peaked plunged prospered ran reigned remained resided resigned retired returned rose sailed seceded served "
    "settled shrank soared specialised specialized stayed stood succeeded surged survived surrendered travelled traveled "
    "tumbled walked went withdrew won worked".split()
)
"""Pasts that don't share an earlier "was": "was born in 1900 and died in 1950"."""


def forms_of(word: str) -> Form | None:
    """The verb forms `word` (lower case) can be, or `None` if it isn't a verb this lexicon knows."""
    return _FORMS.get(word)


def base_of_past(word: str) -> str | None:
    """`begin` for `began` and `begun`: the verb whose past or participle `word` (lower case) is; None for any other."""
    return _BASES.get(word)


def _with_s(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


_DOUBLED = frozenset(
    "admit ban beg commit compel control cut drop drum equip expel get grab hit incur knit let map occur omit permit plan "
    "plot prefer propel quit rebel refer regret rob run scrap set shed ship shop shut sit skip slam slap slip slit "
    "span spin split step stem stop strip submit swim tap top transfer transmit trim tip trap win wrap zip sum overlap "
    "benefit travel label cancel model level peg enrol".split()
)


def _with_ending(base: str, ending: str) -> set[str]:
    if base.endswith("e") and not (ending == "ing" and base.endswith(("ee", "ye", "oe"))):
        stem = base[:-2] + "y" if ending == "ing" and base.endswith("ie") else base[:-1]
        return {stem + ending}
    if base.endswith("y") and base[-2] not in "aeiou" and ending == "ed":
        return {base[:-1] + "ied"}
    if base in _DOUBLED:
        return {base + base[-1] + ending, base + ending}
    return {base + ending}


def _build_forms() -> dict[str, Form]:
    forms: dict[str, Form] = {}

    def add(word: str, form: Form) -> None:
        forms[word] = forms[word] | form if word in forms else form

    for base in _REGULAR | _IRREGULAR.keys():
        add(base, Form.BASE)
        add(_with_s(base), Form.THIRD)
        for word in _with_ending(base, "ing"):
            add(word, Form.ING)
        if base not in _IRREGULAR:
            for word in _with_ending(base, "ed"):
                add(word, Form.PAST | Form.PARTICIPLE)
    for past, participle in _IRREGULAR.values():
        add(past, Form.PAST)
        add(participle, Form.PARTICIPLE)
    return forms


_FORMS = _build_forms()


def _build_bases() -> dict[str, str]:
    regular = {word: base for base in sorted(_REGULAR) for word in _with_ending(base, "ed")}
    irregular = {word: base for base, forms in _IRREGULAR.items() for word in forms}
    return regular | irregular


_BASES = _build_bases()
