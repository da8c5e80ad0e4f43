"""The words of drawn texts: three trades for the train half, three others for the test half."""

from typing import NamedTuple


class Trade(NamedTuple):
    """The words of a trade: `items` name rows of a table, `groups` what rows or columns share, `places` are proper names."""

    nouns: list[str]
    adjectives: list[str]
    verbs: list[str]
    items: list[str]
    groups: list[str]
    places: list[str]


def _trade(nouns: str, adjectives: str, verbs: str, items: str, groups: str, places: str) -> Trade:
    parts = [[word.strip() for word in text.split(",")] for text in (nouns, adjectives, verbs, items, groups, places)]
    return Trade(*parts)


FINANCE = _trade(
    "dividend, reserve, liability, portfolio, lender, auditor, balance sheet, credit line, quarter, shareholder, bond, "
    "margin, loan book, provision, branch, tax charge, covenant, hedge, treasury, budget",
    "consolidated, deferred, outstanding, audited, current, regulatory, unsecured, nominal, recurring, domestic, impaired, "
    "quarterly",
    "exceeded, reduced, refinanced, offset, covered, increased, reflected, restated, absorbed, replaced, funded, lowered",
    "Interest income, Fee income, Staff costs, Rent and rates, Depreciation, Trade receivables, Deferred tax, Cash at bank, "
    "Bank overdrafts, Lease obligations, Goodwill, Investment property, Other operating income, Marketing, Insurance "
    "premiums, Research grants",
    "Assets, Liabilities, Income, Expenses, Group, Company, Retail, Wholesale, Year to March, Year to June",
    "Northgate, Harbour Street, Eastfield, Millbrook, Ashford, Kingsway, Lowmoor, Redhill",
)
ENGINEERING = _trade(
    "bearing, gearbox, valve, pump, sensor, weld, coolant, shaft, housing, torque, vibration, controller, flange, inverter, "
    "gasket, relay, load cell, actuator, filter, conveyor",
    "hydraulic, worn, calibrated, axial, rated, thermal, redundant, sealed, digital, corroded, upstream, portable",
    "drives, isolates, monitors, damps, supports, overheats, feeds, protects, limits, triggers, seals, bypasses",
    "Main pump, Relief valve, Drive shaft, Oil filter, Control board, Pressure gauge, Coupling, Cooling fan, Limit switch, "
    "Feed motor, Spare gasket set, Mounting plate, Heat exchanger, Cable gland, Encoder, Brake disc",
    "Line A, Line B, Mechanical, Electrical, Hot run, Cold run, Rated load, Overload, Indoor units, Outdoor units",
    "Station 4, Hall C, Dry Dock, Test Bench, North Shed, Unit 12, Tower East, Basin 2",
)
MEDICINE = _trade(
    "patient, dose, biopsy, infusion, ward, symptom, antibody, trial, placebo, cohort, nurse, fracture, vaccine, scan, "
    "lesion, referral, blood pressure, clinic, relapse, consent form",
    "chronic, acute, randomised, elevated, intravenous, benign, elderly, baseline, adverse, renal, paediatric, weekly",
    "received, reported, tolerated, improved, confirmed, preceded, followed, reduced, required, completed, indicated, delayed",
    "Systolic pressure, Heart rate, Haemoglobin, White cell count, Body mass index, Nausea, Headache, Dry cough, Fatigue, "
    "Serum creatinine, Days in hospital, Oxygen saturation, Loss of appetite, Skin rash, Joint pain, Readmission",
    "Treatment, Control, Baseline, Week 12, Women, Men, Under 65 years, 65 years and over, Vital signs, Adverse events",
    "St Anne, Riverside, Lakeview, Queen Mary, Oakwood, Hillcrest, Bayfield, Westmead",
)
LAW = _trade(
    "tenant, clause, plaintiff, statute, deed, tribunal, easement, warranty, arbitrator, licence, estate, notice, remedy, "
    "breach, trustee, appeal, covenantor, injunction, affidavit, settlement",
    "binding, void, exclusive, written, equitable, statutory, prior, reasonable, joint, implied, unlawful, provisional",
    "waives, governs, terminates, assigns, indemnifies, dismisses, grants, forbids, amends, overrules, ratifies, discharges",
    "Filing fee, Expert witness, Court bundle, Land registry search, Stamp duty, Translation, Site visit, Mediation day, "
    "Counsel opinion, Service of process, Copying, Enforcement, Witness travel, Archive storage, Power of attorney, "
    "Notarial act",
    "First instance, On appeal, Claimant, Defendant, Contested, Uncontested, Civil, Family, Before 1 May, After 1 May",
    "Old Bailey Row, Temple Gate, Chancery, Lincoln Court, Assize Hall, Moot Lane, Gavel Square, Bench Walk",
)
COOKING = _trade(
    "dough, skillet, broth, garlic, marinade, oven, batter, herb, sauce, pastry, roast, onion, glaze, ladle, flour, crust, "
    "stew, pepper, butter, zest",
    "simmering, chopped, golden, tender, chilled, salted, fresh, toasted, creamy, smoky, fragrant, crisp",
    "thickens, browns, softens, absorbs, coats, rises, rests, melts, balances, covers, sweetens, binds",
    "Plain flour, Brown sugar, Olive oil, Sea salt, Double cream, Baking powder, Chopped walnuts, Lemon juice, Vanilla "
    "pods, Black pepper, Smoked paprika, Fresh basil, Red lentils, Chicken stock, Dried apricots, Whole milk",
    "Starters, Mains, Desserts, Sauces, Serves four, Serves twelve, Gas oven, Fan oven, Pantry, Market",
    "Provence, Oaxaca, Bologna, Kerala, Izmir, Lyon, Jerez, Tbilisi",
)
SPORTS = _trade(
    "striker, relay team, coach, referee, sprint, pitch, innings, goalkeeper, season, stadium, medal, rally, league, "
    "penalty, rower, lap, transfer, tie-break, captain, hurdle",
    "unbeaten, narrow, injured, veteran, junior, decisive, home, record, aggressive, indoor, disputed, promising",
    "defeated, scored, outpaced, trailed, equalised, captained, saved, overtook, qualified for, hosted, lost, missed",
    "Matches played, Goals scored, Clean sheets, Yellow cards, Passes completed, Lap time, Free throws, Rebounds, Double "
    "faults, Aces served, Tries, Conversions, Average attendance, Red cards, Corners won, Shots on target",
    "Home, Away, Heats, Finals, Spring season, Autumn season, Singles, Doubles, Defence, Attack",
    "Rovers, Wanderers, Athletic, Dynamo, Harriers, Lions, Falcons, Olympic",
)
TRADES = {"train": (FINANCE, ENGINEERING, MEDICINE), "test": (LAW, COOKING, SPORTS)}
