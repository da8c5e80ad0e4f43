import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.sheets.number_formats import show_number, show_plainly

ACCOUNTS = '_-* #,##0.00_-;\\-* #,##0.00_-;_-* "-"??_-;_-@_-'


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (-1234.5, ACCOUNTS, "-1,234.50"),
        (0, ACCOUNTS, "-"),
        (-12, "$#,##0;[Red]($#,##0)", "($12)"),
        (1.005, "0.00", "1.01"),
        (0.285, "0%", "29%"),
        (1234567, '#,##0.0,,"M"', "1.2M"),
        (12345, "0.00E+00", "1.23E+04"),
        (1.25, "# ?/?", "1 1/4"),
        (7, "00000", "00007"),
        (123456789, "000-00-0000", "123-45-6789"),
        (150, '[>100]"big";0', "big"),
        (45352.75, "dd/mm/yyyy hh:mm", "01/03/2024 18:00"),
        (45352, "[$-F800]dddd, mmmm dd, yyyy", "Friday, March 01, 2024"),
        (59, "yyyy-mm-dd", "1900-02-28"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (0.5, "h:mm AM/PM", "12:00 PM"),
        (0.0001234, "mm:ss.00", "00:10.66"),
        (5, ";;;", "5"),
        (3.5, "General", "3.5"),
        (1e300, "yyyy", "1E+300"),
    ],
)
def test_a_number_is_shown_as_spreadsheets_show_it(value: float, code: str, shown: str) -> None:
    assert show_number(value, code) == shown


def test_days_may_count_from_1904() -> None:
    assert show_number(0, "yyyy-mm-dd", True) == "1904-01-01"


@given(st.floats(), st.text('0#?.,%/E+-;[]"\\_*ymdhs@ $€GeneralAMPM<>=1', max_size=20))
def test_no_format_costs_a_number(value: float, code: str) -> None:
    assert show_number(value, code) or show_number(value, code) == show_plainly(value)


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_are_shown_in_full(value: int) -> None:
    assert show_plainly(float(value)) == str(value)
