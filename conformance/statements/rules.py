"""Rule sets: what the presets say, and which changes a house may make."""

from typing import Any

from conformance.statements.notation import choice, dashed, rule_json
from conformance.statements.section import Section, problems
from conformance.statements.tables import rows, rules_of
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
    One call each, and open passes | A5 A9 | cardgames_zone passing=open | call_limit CONTRADICTION
    Raised doubles without doubles | A10 | classic raised_double=gone | raised_double CONTRADICTION
    Doubled results without doubles | A10 | cardgames_zone doubled_result=when_made | doubled_result CONTRADICTION
    Doubles of individual bids | A10 | saharat_400 doubling=anyone | doubling CONTRADICTION
    Four passes where nobody passes | A6 | mulouk_41 all_pass=last_must_bid | all_pass CONTRADICTION
    A minimum total of one contract | A14 | classic minimum_total=11 | minimum_total CONTRADICTION
    A total of 53 | A14 | saharat_400 minimum_total=53 | minimum_total OUT_OF_RANGE, minimum_total CONTRADICTION
    A total that four bids can't reach | A14 |
        saharat_syrian_41 maximum_bid=5 minimum_total=21 | minimum_total CONTRADICTION
    An own minimum above the bids | A13 |
        saharat_400 own_minimum=[[30,3]] maximum_bid=2 |
        own_minimum.steps[0].value CONTRADICTION, total_minimum.steps[0].value CONTRADICTION,
        total_minimum.steps[1].value CONTRADICTION, total_minimum.steps[2].value CONTRADICTION,
        minimum_total CONTRADICTION
    A ladder that does not rise | A13 | saharat_400 own_minimum=[[40,3],[40,4]] | own_minimum.steps CONTRADICTION
    A bid's value twice | S11 | saharat_400 bid_values=[[5,10,null],[5,11,null]] | bid_values.values[1] DUPLICATE
    A value of no bid | S11 | saharat_400 bid_values=[[14,50,null]] | bid_values.values[0].bid OUT_OF_RANGE
    Bid values of a team | S11 | classic bid_values=[[7,8,null]] | bid_values CONTRADICTION
    A tie break of teams | W6 | classic tie_break=highest_player | tie_break CONTRADICTION
    The partner's floor in a team game | W4 W5 |
        tarneeb_wikipedia win_floor=partner_above_zero | win_floor CONTRADICTION
    The team's floor in 41 | W4 W5 | saharat_syrian_41 win_floor=before_hand | win_floor CONTRADICTION
    A sweep that wins 400 | W3 | saharat_400 sweep_wins=always | sweep_wins CONTRADICTION
    A sweep when bid, without bids | W3 | cardgames_zone_turned_trump sweep_wins=when_bid | sweep_wins CONTRADICTION
    Other bids without an auction | A16 |
        cardgames_zone_turned_trump minimum_bid=6 maximum_bid=12 |
        minimum_bid CONTRADICTION, maximum_bid CONTRADICTION
    Two problems, both named | W1 S8 |
        classic target=0 failed_slam_trick_factor=0 | target OUT_OF_RANGE, failed_slam_trick_factor OUT_OF_RANGE
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
    _odd_choices(made)
    return made


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
