"""The texts of the demo's documents, about an invented company, Orrin Sound Kelp Works, and its year 2024."""

from typing import Final

Block = tuple[str, str]
"""A kind (`title`, `heading` or `paragraph`) and its text."""

REPORT: Final[list[Block]] = [
    ("title", "Annual Report 2024"),
    (
        "paragraph",
        "Orrin Sound Kelp Works grows sugar kelp on long lines in three sheltered bays and dries it on shore. The company "
        "was founded in 1987 by two ferry engineers, Maren Tolk and Isak Brandvold, who wanted work that would keep people "
        "on the island through the winter. At the end of 2024 it employed 143 people, eleven more than a year before.",
    ),
    ("heading", "The year in brief"),
    (
        "paragraph",
        "Revenue rose by 12 percent to 48.6 million crowns. Operating profit was 5.9 million crowns, against 4.1 million in "
        "2023. The board proposes a dividend of 3.50 crowns for each share. Three things explain the better result: a long "
        "spring without storms, the new drying hall, and contracts with two bakeries that now buy kelp flour all year.",
    ),
    (
        "paragraph",
        "The harvest came to 9,120 tonnes of wet kelp, the largest since the company began to weigh it. Losses to storms fell "
        "to 4 percent of the crop. In 2022, the worst year on record, a single gale in March took 31 percent of the lines in "
        "Skarn Bay.",
    ),
    ("heading", "Farms and harvest"),
    (
        "paragraph",
        "The company farms Skarn Bay, Lower Firth and Eider Strait. Skarn Bay is the oldest site and still the largest: its "
        "240 lines gave 4,300 tonnes. Lower Firth, where the water is colder and clearer, gave 2,960 tonnes of the blades that "
        "fetch the best price. Eider Strait was seeded for the first time in October 2022 and reached 1,860 tonnes.",
    ),
    (
        "paragraph",
        "Lines are seeded in October, when the water falls below eleven degrees, and cut from April to June. A crew of five "
        "with one barge cuts about 38 tonnes on a calm day. Since May every barge weighs its load at sea, so that the drying "
        "hall knows three hours ahead how much will come.",
    ),
    ("heading", "The drying hall"),
    (
        "paragraph",
        "The drying hall at Brattness was opened on 14 May 2024 by the county governor. It cost 17.2 million crowns, of which "
        "the regional fund paid 6 million. Hot water from the neighbouring fish-meal plant warms the air; the hall uses "
        "electricity only for its fans. Drying a tonne of wet kelp now takes 61 kilowatt hours instead of 208.",
    ),
    (
        "paragraph",
        "Before the hall was built, kelp was dried in containers heated with oil. The last container was sold in August. "
        "Emissions from drying fell from 940 to 75 tonnes of carbon dioxide, nearly all of it from lorries that bring the kelp "
        "from the two further bays.",
    ),
    (
        "paragraph",
        "The hall runs from the middle of April to the end of July. It takes in kelp day and night, in batches of nine tonnes; "
        "each batch stays for eleven hours. A camera above the last belt sorts the blades by colour, which used to be the work "
        "of six people. None of them lost work: four now drive the barges, two test flour in the laboratory.",
    ),
    ("heading", "Customers"),
    (
        "paragraph",
        "Food makers bought 54 percent of the dried kelp, cosmetics makers 22 percent, feed makers 17 percent and "
        "laboratories the rest. The largest customer, the bakery group Halvard and Daughters, took 310 tonnes of flour and has "
        "signed for three more years. No customer stands for more than a tenth of revenue.",
    ),
    (
        "paragraph",
        "Prices were steady. First-grade blades sold at 92 crowns a kilogram, flour at 64, and feed at 21. The company does not "
        "sell futures and does not hedge currencies; nine tenths of its sales are in its own.",
    ),
    ("heading", "People and safety"),
    (
        "paragraph",
        "There were two accidents that led to absence, both on deck and both in fog. Barges no longer leave when visibility is "
        "under 400 metres. All 52 people who work at sea took part in a two-day rescue course in Lower Firth in February. The "
        "share of women on the boats rose from 19 to 27 percent.",
    ),
    (
        "paragraph",
        "The apprentice scheme, now in its sixth year, took on eight apprentices. Of the 37 who have finished it, 31 still work "
        "for the company. Ragna Sollie, who began as an apprentice in 2019, became head of the hatchery in September.",
    ),
    ("heading", "Research"),
    (
        "paragraph",
        "The hatchery tested four strains from colder waters. The strain called Grey Widow grew 18 percent longer blades than "
        "the one in use and bore the warm July better. It will be seeded on 60 lines in Skarn Bay in autumn 2025. A trial with "
        "mussels under the lines was ended: the mussels grew well, but the ropes sagged.",
    ),
    ("heading", "Money and risk"),
    (
        "paragraph",
        "The company owes the Island Savings Bank 21.4 million crowns, at a fixed rate of 3.8 percent until 2031. Equity stood "
        "at 57 percent of the balance sheet, after 55 percent a year earlier. Cash at the year's end was 7.3 million crowns; it "
        "covers wages for five months without any income.",
    ),
    (
        "paragraph",
        "Insurance pays for lines and buoys but not for the crop. The board therefore keeps a storm reserve, which grew to 4.8 "
        "million crowns. It was last drawn upon in 2022, when it paid for 74 new lines. The auditors, Lund and Farstad, had no "
        "remarks. Their fee was 310,000 crowns.",
    ),
    ("heading", "The sound and its neighbours"),
    (
        "paragraph",
        "Divers from the county counted the fish under the lines in May and again in September. They found 27 kinds, four more "
        "than on bare sand nearby, among them lumpfish that had not been seen in Skarn Bay since 1996. Their report asks for a "
        "strip of open water of 200 metres along the eastern shore, where eiders rest in spring. The company has moved nine "
        "lines to make room for it.",
    ),
    (
        "paragraph",
        "The mail boat, the shellfish divers and the sailing club each have a member in the council of the sound, which met "
        "three times. The one complaint concerned the light on the barge that lies at Brattness over night; it now shines "
        "downwards. On the open day in June some 640 visitors came, nearly as many as the island has inhabitants.",
    ),
    ("heading", "Outlook"),
    (
        "paragraph",
        "For 2025 the board expects a harvest between 9,400 and 9,900 tonnes and revenue of about 52 million crowns. The largest "
        "risk remains the weather. A fourth farm, north of Eider Strait, awaits a permit that the county has promised to "
        "decide on before midsummer.",
    ),
]

SCANNED: Final[list[str]] = [
    "ORRIN HARBOUR BOARD",
    "",
    "Letter of approval                        3 November 1987",
    "",
    "To Maren Tolk and Isak Brandvold, ferry engineers",
    "",
    "The Harbour Board has examined the plan for kelp lines in",
    "Skarn Bay. It grants leave to moor twelve lines of eighty",
    "metres each, for a term of five years, against a fee of",
    "forty crowns a line and year.",
    "",
    "The lines shall carry a yellow buoy at each end. They shall",
    "leave a fairway of ninety metres for the mail boat.",
    "",
    "Signed for the Board",
    "Torvald Renning, harbour master",
]

HANDBOOK: Final = """\
---
title: Hatchery handbook
author: Ragna Sollie
year: 2025
department: Hatchery
---

# Hatchery handbook

This handbook tells how seed lines are made, from the first spores to the day when the barge takes them.

## Collecting spores

Take ripe blades in September, when dark patches show along their middle. Wipe them with fresh water, dry them
overnight at ten degrees, and lay them in filtered sea water. Spores come out within forty minutes.

- Filter the water to one micrometre.
- Keep the light under 20 microeinstein for the first three days.
- Throw away any tank that smells of sulphur.

## Growing on the spool

The spools stand in the tanks for six weeks. Change a third of the water twice a week.

| week | light (microeinstein) | temperature (degrees) | water change |
|-----:|----------------------:|----------------------:|--------------|
| 1    | 20                    | 10.0                  | none         |
| 2    | 40                    | 10.0                  | one third    |
| 3    | 60                    | 10.5                  | one third    |
| 6    | 110                   | 11.0                  | one half     |

The controller reads its plan from a file:

```toml
[tank]
litres = 800
alarm_above_degrees = 12.5
```

## When the alarm sounds

A tank above 12.5 degrees is lost within nine hours. Open the cold-water valve first, call the hatchery head second,
and write the time into the red book third.
"""

MINUTES: Final = """\
Minutes of the safety meeting, 11 March 2025

Present: Ragna Sollie, Tobias Kveen, Hilde Aune, Per Storli.

1. Fog. Barge Number Two left the quay on 26 February with visibility under 300 metres, against the rule. The skipper has
been spoken to. From now on the harbour office reads out the visibility on channel 12 at five in the morning.

2. Ropes. Three mooring ropes in Eider Strait show wear where they pass the new fairleads. Tobias Kveen replaces all
sixteen before seeding begins; the ropes cost 4,150 crowns each.

3. First aid. The boxes on all barges were opened and counted. Number Four lacked burn dressings.

The next meeting is on 10 June 2025.
"""

TIDE_LOG: Final = """\
Tide log, Brattness quay, 2 January 2025

High water stood 41 centimetres above the table at 06:20, with wind from the north-west at 19 metres a second. The lower
store was flooded to the second step. Forty sacks of feed were moved to the loft and none was lost.
"""

_BARGES: Final = ("Number One", "Number Two", "Number Three", "Number Four", "Number Five")
_BAYS: Final = ("Skarn Bay", "Lower Firth", "Eider Strait")
_REMARKS: Final = {3: "fog until noon", 11: "two lines lost", 17: "first flour batch", 29: "winch broke", 34: "guests on board"}

LANDINGS: Final[list[tuple[str, ...]]] = [
    ("Date", "Barge", "Bay", "Tonnes", "Remark"),
    *(
        (
            f"{1 + day % 31} {'May' if day < 31 else 'June'} 2024",
            _BARGES[day % 5],
            _BAYS[day * 2 % 3],
            f"{18 + day * 7 % 23}.{day * 3 % 10}",
            _REMARKS.get(day, "none"),
        )
        for day in range(38)
    ),
]
"""Header and rows of a table that is too long for one page."""

METADATA: Final = """\
path,year,department
annual-report-2024.pdf,2024,Board
harvest-figures-2024.pdf,2024,Farms
charts-2024.pdf,2024,Sales
landings-2024.pdf,2024,Farms
minutes-2025-03.txt,2025,Safety
archive/letter-1987.pdf,1987,Board
"""
