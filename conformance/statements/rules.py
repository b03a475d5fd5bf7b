"""Rule sets: what the presets say, and which changes a house may make."""

from typing import Any

from conformance.statements.notation import choice, dashed, rule_json
from conformance.statements.section import Section, problems
from conformance.statements.tables import options, rows, rules_of
from tests.oracle.rule_sets import RULE_SETS

JSON = Any
# Preset, rules it shows, offered targets, whether the target is locked.
PRESETS = (
    ("saharat_classic", "A1 A2 A3 A4 A6 A7 S3 S4 S5 T1", [31, 41, 61], False),
    ("saharat_syrian_41", "A12 A14 A15 T3 W5 W6", [41], False),
    ("saharat_400", "A13 A14 T4 S11 S12 W5 W6", [41], False),
    ("mulouk_41", "A12 A15 T3 W5 W6", [41], True),
    ("jawaker_classic", "A1 A2 S3 S4 S5", [31], False),
    ("jawaker_egyptian", "A8 A9 A10 A11 T2", [41], False),
    ("jawaker_syrian_41", "A12 A14 T3 W5 W6", [41], False),
    ("cardgames_zone", "A5 S3 S4 S5", [31, 41, 51], False),
    ("cardgames_zone_turned_trump", "A16 T5 S9", [31, 41, 51], False),
    ("tarneeb_wikipedia", "W3 S3 S4 S5", [31, 41, 61], False),
)
# Title, rules, preset and overrides that are sound, in the oracle's notation.
SOUND = """
    A target of 31 | W1 | classic target=31
    A target of one point | W1 | classic target=1
    The highest target | W1 | cardgames_zone target=1000000
    The fourth seat must bid | A6 | cardgames_zone all_pass=last_must_bid
    The same dealer after four passes | A6 | jawaker_classic dealer_after_all_pass=same
    A revoke forfeits | R2 | cardgames_zone revoke=forfeits
    The first card is a trump | T6 | tarneeb_wikipedia first_card=trump
    Doubled kaboot | S3 S4 | cardgames_zone sweep_points=26 slam_made_points=26
    Defenders always score, twice on a failed 13 | S8 | classic defenders_score=always failed_slam_trick_factor=2
    All 13 win only when bid | W3 | tarneeb_wikipedia sweep_wins=when_bid
    No win from below zero | W4 | tarneeb_wikipedia win_floor=before_hand
    Only opponents double | A11 | egyptian doubling=opponents
    A raise shakes the double off | A10 | egyptian raised_double=gone
    Doubled only when made | A10 | egyptian doubled_result=when_made
    Doubled for the bidders alone | A10 S7 | egyptian doubled_result=bidders
    Defenders never score | S8 | cardgames_zone defenders_score=never
    A double falls when outbid | A10 | egyptian raised_double=stays
    Six may be bid after all | A12 | mulouk_41 barred_bids=[]
    The next dealer after a low total | A15 | mulouk_41 dealer_after_low_total=right
    Packets of thirteen, with a cut | C4 | tarneeb_wikipedia deal_order=packets cut=required
    Past tricks face down | C7 | classic past_tricks=none
    Past tricks open after all | C7 | cardgames_zone past_tricks=all
    Hands shown afterwards | C7 | saharat_400 reveal=everybody
    Eleven is worth 44 | S11 | saharat_400 bid_values=[[11,44,null]]
    Bids worth their number | S11 | saharat_400 bid_values=[]
    Any total plays | A14 | saharat_syrian_41 minimum_total=0
    The dealer leads | A16 | cardgames_zone_turned_trump opening_lead=dealer
    Spades always | T4 | saharat_400 fixed_trump=spades
    No-trump always | T4 | saharat_400 fixed_trump=no_trump
    Bids from eight | A1 | classic minimum_bid=8
    A locked target said again |  | mulouk_41 target=41
"""
# Title, rules, preset and overrides that are not, the problems.
UNSOUND = f"""
    A locked target |  | mulouk_41 target=31 | target LOCKED
    A target of zero | W1 | classic target=0 | target OUT_OF_RANGE
    A target beyond the highest | W1 | classic target=1000001 | target OUT_OF_RANGE
    Points beyond 1000 | S3 | classic sweep_points=1001 | sweep_points OUT_OF_RANGE
    A factor of three | S8 | classic failed_slam_trick_factor=3 | failed_slam_trick_factor OUT_OF_RANGE
    A lowest bid of zero | A1 | classic minimum_bid=0 | minimum_bid OUT_OF_RANGE
    A highest bid of 14 | A1 | classic maximum_bid=14 | maximum_bid OUT_OF_RANGE
    Bids upside down | A1 | classic maximum_bid=6 | maximum_bid CONTRADICTION
    Every bid barred | A12 | classic barred_bids=[7,8,9,10,11,12,13] | barred_bids CONTRADICTION
    The highest bid barred | A12 | mulouk_41 barred_bids=[13] | barred_bids CONTRADICTION
    A bid barred twice | A12 | mulouk_41 barred_bids=[6,6] | barred_bids DUPLICATE
    No such bid to bar | A12 | mulouk_41 barred_bids=[6,14] | barred_bids.numbers[1] OUT_OF_RANGE
    Too many entries | A12 | mulouk_41 barred_bids=[{",".join("6" * 65)}] | barred_bids WRONG_COUNT
    Named trump without a declarer | T1 | saharat_400 trump=named fixed_trump=null | trump CONTRADICTION
    Strains without a declarer | T2 | mulouk_41 trump=in_bid | trump CONTRADICTION
    Fixed trump without one | T4 | classic trump=fixed | fixed_trump CONTRADICTION
    One trump fixed, another turned | T4 | saharat_syrian_41 fixed_trump=hearts | fixed_trump CONTRADICTION
    The declarer leads where there is none | A12 |
        saharat_syrian_41 opening_lead=declarer | opening_lead CONTRADICTION
    A first trump by who is no declarer | T6 | classic first_card=trump opening_lead=dealer | first_card CONTRADICTION
    A first trump without an auction | T6 | cardgames_zone_turned_trump first_card=trump | first_card CONTRADICTION
    Doubles of individual bids | A10 | saharat_400 doubling=anyone | doubling CONTRADICTION
    Four passes where nobody passes | A6 | mulouk_41 all_pass=last_must_bid | all_pass CONTRADICTION
    A minimum total of one contract | A14 | classic minimum_total=11 | minimum_total CONTRADICTION
    A total of 53 | A14 | saharat_400 minimum_total=53 | minimum_total OUT_OF_RANGE, minimum_total CONTRADICTION
    A total that four bids can't reach | A14 |
        saharat_syrian_41 maximum_bid=5 minimum_total=21 | minimum_total CONTRADICTION
    An own minimum above the bids | A13 |
        saharat_400 own_minimum=[[30,3]] maximum_bid=2 |
        own_minimum.steps[0].value CONTRADICTION, minimum_total CONTRADICTION
    A ladder that does not rise | A13 | saharat_400 own_minimum=[[40,3],[40,4]] | own_minimum.steps CONTRADICTION
    A bid's value twice | S11 | saharat_400 bid_values=[[5,10,null],[5,11,null]] | bid_values.values[1] DUPLICATE
    A value of no bid | S11 | saharat_400 bid_values=[[14,50,null]] | bid_values.values[0].bid OUT_OF_RANGE
    Bid values of a team | S11 | classic bid_values=[[7,8,null]] | bid_values CONTRADICTION
    A tie break of teams | W6 | classic tie_break=highest_player | tie_break CONTRADICTION
    A sweep that wins 400 | W3 | saharat_400 sweep_wins=always | sweep_wins CONTRADICTION
    Other bids without an auction | A16 |
        cardgames_zone_turned_trump minimum_bid=6 maximum_bid=12 |
        minimum_bid CONTRADICTION, maximum_bid CONTRADICTION
    Two problems, both named | W1 S8 |
        classic target=0 failed_slam_trick_factor=0 | target OUT_OF_RANGE, failed_slam_trick_factor OUT_OF_RANGE
"""

# Title, rules, preset and overrides one of which does nothing, the problem, what else makes it do something.
IDLE = """
    One call each, and open passes | A5 A9 | cardgames_zone passing=open | passing | call_limit=none
    Open passes where the first bid ends it | A4 A9 |
        classic minimum_bid=13 passing=open | passing | slam_bid=continues
    One call each where nobody is outbid | A4 A5 |
        classic minimum_bid=12 call_limit=one_each | call_limit | minimum_bid=11
    Doubles where the first bid ends it | A4 A11 |
        classic minimum_bid=13 doubling=anyone | doubling | slam_bid=continues
    Raised doubles without doubles | A10 |
        egyptian doubling=none raised_double=gone | raised_double | doubling=anyone
    Doubled results without doubles | A10 |
        cardgames_zone doubled_result=when_made | doubled_result | doubling=opponents
    A raise that a final pass forbids | A2 A10 |
        classic doubling=anyone raised_double=gone | raised_double | passing=open
    A double that returns to one call each | A5 A10 |
        cardgames_zone doubling=anyone raised_double=returns | raised_double | call_limit=none
    A double that returns to nobody | A4 A10 |
        classic minimum_bid=12 doubling=anyone raised_double=returns | raised_double | minimum_bid=11
    The dealer after four passes that can't be | A6 |
        classic all_pass=last_must_bid dealer_after_all_pass=same | dealer_after_all_pass | all_pass=void
    No trump to lead | T4 T6 |
        classic trump=fixed fixed_trump=no_trump first_card=trump | first_card | fixed_trump=spades
    A 13 that goes on where 13 is no bid | A4 | classic maximum_bid=12 slam_bid=continues | slam_bid | maximum_bid=13
    A made 13 where it is no bid | S4 | classic maximum_bid=12 slam_made_points=99 | slam_made_points | maximum_bid=13
    A failed 13 where it is no bid | S5 |
        classic maximum_bid=12 slam_failed_points=99 | slam_failed_points | maximum_bid=13
    Twice on a failed 13 where it is no bid | S8 |
        classic maximum_bid=12 failed_slam_trick_factor=2 | failed_slam_trick_factor | maximum_bid=13
    All 13 win when bid, where 13 is no bid | W3 |
        tarneeb_wikipedia maximum_bid=12 sweep_wins=when_bid | sweep_wins | maximum_bid=13
    A sweep when bid, without bids | W3 |
        cardgames_zone_turned_trump sweep_wins=when_bid | sweep_wins | sweep_wins=always
    A sweep without a 13, where only 13 is bid | S3 |
        classic minimum_bid=13 sweep_points=99 | sweep_points | minimum_bid=12
    A sweep of defenders, where only 13 is bid | S6 |
        classic minimum_bid=13 defenders_sweep_points=99 | defenders_sweep_points | slam_defence_sweep=points
    Defenders of a made 13 | S8 | classic minimum_bid=13 defenders_score=always | defenders_score | revoke=forfeits
    A sweep that counts its tricks either way | S6 |
        tarneeb_wikipedia slam_defence_sweep=points | slam_defence_sweep | defenders_sweep_points=16
    A sweep of defenders who never score | S6 S8 |
        classic defenders_score=never defenders_sweep_points=20 | defenders_sweep_points | defenders_score=always
    Doubled for the bidders alone, who alone score | S7 S8 |
        egyptian defenders_score=never doubled_result=bidders | doubled_result | defenders_score=always
    A floor that no hand comes up from | W4 | classic win_floor=before_hand | win_floor | target=25
    A floor that nobody is below | S9 W4 |
        cardgames_zone_turned_trump sweep_wins=always win_floor=before_hand | win_floor | auction=competitive
    The partner's floor in a team game | W4 W5 |
        tarneeb_wikipedia win_floor=partner_above_zero | win_floor | win_floor=before_hand
    The team's floor in 41 | W4 W5 |
        saharat_syrian_41 win_floor=before_hand | win_floor | win_floor=partner_above_zero
    Three is no bid to bar | A12 | classic barred_bids=[3] | barred_bids | minimum_bid=3
    A total that four bids have anyway | A14 | saharat_syrian_41 minimum_total=8 | minimum_total | minimum_bid=1
    The dealer after a total that is never low | A14 A15 |
        saharat_syrian_41 minimum_total=0 dealer_after_low_total=same | dealer_after_low_total | minimum_total=9
    A step to the same total | A14 |
        saharat_400 total_minimum=[[30,11]] | total_minimum.steps[0] | minimum_total=10
    A step to what is the minimum | A13 |
        saharat_400 own_minimum=[[30,2],[40,4]] | own_minimum.steps[0] | minimum_bid=1
    A step to a barred bid | A13 | mulouk_41 own_minimum=[[30,6],[40,7]] | own_minimum.steps[1] | barred_bids=[]
    Nine is worth nine anyway | S11 |
        saharat_syrian_41 bid_values=[[9,9,null]] | bid_values.values[0] | bid_values=[[9,18,null]]
    The same value once more | S11 S12 |
        saharat_syrian_41 bid_values=[[9,18,null],[9,18,30]] | bid_values.values[1] | bid_values=[[9,18,30]]
    The value of a barred bid | A12 S11 | mulouk_41 bid_values=[[6,12,null]] | bid_values.values[0] | barred_bids=[]
    The value of a bid below the own minimum | A13 S12 |
        saharat_400 bid_values=[[2,5,50]] | bid_values.values[0] | own_minimum=[]
"""
# Title, rules, preset and overrides, and what is resolved otherwise than by preset and overrides.
OF_ANOTHER_KIND = """
    Everybody for himself | A12 | classic auction=individual |
        trump=sister opening_lead=dealers_right sweep_points=13 defenders_sweep_points=13 slam_made_points=13
        slam_failed_points=13
    Everybody for himself, without doubles | A12 |
        egyptian auction=individual |
        trump=sister opening_lead=dealers_right passing=final slam_bid=ends_auction doubling=none raised_double=stays
        sweep_points=13 defenders_sweep_points=13 slam_made_points=13 slam_failed_points=13 slam_defence_sweep=tricks
    No auction any more | A16 | tarneeb_wikipedia auction=none | trump=turned opening_lead=dealers_right
    Teams instead of players | A1 | saharat_400 auction=competitive |
        own_minimum=[] minimum_total=0 total_minimum=[] bid_values=[] win_floor=none tie_break=team_total
    No auction instead of four bids | A16 | mulouk_41 auction=none |
        minimum_bid=7 barred_bids=[] minimum_total=0 dealer_after_low_total=right win_floor=none
    Another kind, its trump and lead said | A12 T4 |
        classic auction=individual trump=fixed fixed_trump=spades opening_lead=dealer minimum_bid=2 minimum_total=11 |
        sweep_points=13 defenders_sweep_points=13 slam_made_points=13 slam_failed_points=13
    Trump that is fixed no more | T3 | saharat_400 trump=sister | fixed_trump=null
    A 13 that is no bid any more | A1 | classic maximum_bid=12 | slam_made_points=13 slam_failed_points=13
    One call each instead of open passes | A5 A9 | egyptian call_limit=one_each | passing=final raised_double=stays
    Values of bids that are no more | S11 | saharat_400 maximum_bid=9 |
        bid_values=[[5,10,null],[6,12,null],[7,14,null],[8,16,null],[9,27,null],[5,5,30],[6,6,30]]
"""
# Title, rules, preset and overrides of another kind of auction, the problems: of what was sent, and of nothing else.
ONLY_WHAT_WAS_SENT = """
    A made 13 of players | A12 S4 | classic auction=individual slam_made_points=30 | slam_made_points CONTRADICTION
    A declarer's trump and lead without one | A12 T1 |
        classic auction=individual trump=named opening_lead=declarer |
        trump CONTRADICTION, opening_lead CONTRADICTION
    A total of teams | A14 | saharat_400 auction=competitive minimum_total=11 | minimum_total CONTRADICTION
    Bids without an auction | A16 | mulouk_41 auction=none minimum_bid=2 | minimum_bid CONTRADICTION
"""


def section() -> Section:
    made = Section("rules", "Rule sets: every preset in full, what a house may change, and what contradicts.")
    ids = {f"rule_sets[{i}].preset_id": preset for i, (preset, *_) in enumerate(PRESETS)}
    expect = {"fields": {**ids, "rule_sets[10]": None}}
    made.add("list", "The presets, in the order of docs/rules.md", "", "ListRuleSets", {}, expect, repeat=3)
    for index, (preset, shows, offered, locked) in enumerate(PRESETS):
        rules = {name: rule_json(name, value) for name, value in RULE_SETS[preset].items()}
        made.add(
            f"preset-{dashed(preset)}",
            f"{preset}, every field",
            shows,
            "ResolveRuleSet",
            {"rule_set": choice(preset)},
            {"response": {"rules": rules}},
        )
        fields = {
            f"rule_sets[{index}].offered_targets": offered,
            f"rule_sets[{index}].target_locked": True if locked else None,
            f"rule_sets[{index}].rules.target": rules["target"],
        }
        made.add(
            f"targets-{dashed(preset)}",
            f"{preset}, the targets its document offers",
            "W1",
            "ListRuleSets",
            {},
            {"fields": fields},
        )
    for title, shows, chosen in rows(SOUND, 3):
        preset, overrides = rules_of(chosen)
        made.add(
            dashed(title),
            f"{title} ({preset})",
            shows,
            "ResolveRuleSet",
            {"rule_set": choice(preset, overrides)},
            {
                "fields": {f"rules.{name}": rule_json(name, value) for name, value in overrides.items()},
                "problems": [],
            },
        )
    for title, shows, chosen, found in rows(UNSOUND, 4):
        preset, overrides = rules_of(chosen)
        _problems(made, title, shows, choice(preset, overrides), found, "rule_set.overrides.")
    _idle(made)
    _of_another_kind(made)
    _odd_choices(made)
    return made


def _idle(made: Section) -> None:
    for title, shows, chosen, path, remedy in rows(IDLE, 5):
        preset, overrides = rules_of(chosen)
        found = f"{path} CONTRADICTION"
        _problems(made, title, shows, choice(preset, overrides), found, "rule_set.overrides.")
        # The same beside what makes it do something.
        chosen = choice(preset, {**overrides, **options(remedy.split())})
        made.add(
            f"{dashed(title)}-remedied",
            f"{title}: beside {remedy} it does something",
            shows,
            "ResolveRuleSet",
            {"rule_set": chosen},
            {"problems": []},
        )


def _of_another_kind(made: Section) -> None:
    for title, shows, chosen, otherwise in rows(OF_ANOTHER_KIND, 4):
        preset, overrides = rules_of(chosen)
        full = {**RULE_SETS[preset], **overrides, **options(otherwise.split())}
        made.add(
            dashed(title),
            f"{title} ({preset})",
            shows,
            "ResolveRuleSet",
            {"rule_set": choice(preset, overrides)},
            {"response": {"rules": {name: rule_json(name, value) for name, value in full.items()}}},
        )
    for title, shows, chosen, found in rows(ONLY_WHAT_WAS_SENT, 4):
        preset, overrides = rules_of(chosen)
        _problems(made, title, shows, choice(preset, overrides), found, "rule_set.overrides.")


def _problems(made: Section, title: str, shows: str, chosen: JSON, found: str, prefix: str = "") -> None:
    expected = [{**problem, "path": prefix + problem["path"]} for problem in problems(found)]
    made.add(
        dashed(title),
        title,
        shows,
        "ResolveRuleSet",
        {"rule_set": chosen},
        {"fields": {"rules": None}, "problems": expected},
    )


def _odd_choices(made: Section) -> None:
    _problems(made, "No such preset", "", {"preset_id": "tarneeb"}, "rule_set.preset_id UNKNOWN_PRESET")
    _problems(made, "No preset", "", {}, "rule_set.preset_id MISSING")
    chosen = {"preset_id": "saharat_classic", "overrides": {"doubling": 4, "fixed_trump": 9}}
    found = "rule_set.overrides.doubling UNKNOWN_VALUE, rule_set.overrides.fixed_trump UNKNOWN_VALUE"
    _problems(made, "Enum numbers that nobody knows", "", chosen, found)
    chosen = {"preset_id": "saharat_classic", "overrides": {"trump": "TRUMP_FIXED", "fixed_trump": 6}}
    found = "rule_set.overrides.fixed_trump UNKNOWN_VALUE"
    _problems(made, "Trump fixed to what is no strain", "T4", chosen, found)
    made.add(
        "no-choice",
        "No choice at all is an answer too",
        "",
        "ResolveRuleSet",
        {},
        {"fields": {"rules": None}, "problems": problems("rule_set MISSING")},
    )
    made.add(
        "unspecified-keeps",
        "An enum's zero keeps the preset's value",
        "A11",
        "ResolveRuleSet",
        {"rule_set": {"preset_id": "jawaker_egyptian", "overrides": {"doubling": "DOUBLING_UNSPECIFIED"}}},
        {"fields": {"rules.doubling": "DOUBLING_ANYONE"}, "problems": []},
    )
    for name, text in (("joiner", "بازی\u200cها"), ("space", "table 7"), ("private", "\ue000")):
        made.add(
            f"create-id-{name}",
            "An id may hold any character that is no control character",
            "",
            "CreateGame",
            {"id": text, "rule_set": choice("saharat_classic"), "first_dealer": "SEAT_EAST"},
            {"fields": {"game.id": text}},
        )
    for preset, *_ in PRESETS:
        individual = RULE_SETS[preset]["auction"] == "individual"
        made.add(
            f"create-{dashed(preset)}",
            f"{preset}: a new game waits for its deal, at nought",
            "C3",
            "CreateGame",
            {"id": "table 7", "rule_set": choice(preset), "first_dealer": "SEAT_EAST"},
            {
                "fields": {
                    "game.id": "table 7",
                    "game.preset_id": preset,
                    "game.rules": {name: rule_json(name, value) for name, value in RULE_SETS[preset].items()},
                    "game.revision": None,
                    "game.scores": [0, 0, 0, 0] if individual else [0, 0],
                    "game.hand_number": None,
                    "game.dealer": None,
                    "game.next_dealer": "SEAT_EAST",
                    "game.phase": "PHASE_AWAITING_DEAL",
                    "game.seat_to_act": None,
                    "game.outcome": None,
                    "game.hand": None,
                }
            },
        )
