import pytest

from flows.cli.flags import CHUNK, REFRESH, get_option_field, parse_options
from schemas.errors import InputError
from schemas.options.sections import RefreshOptions

NONE = dict.fromkeys(REFRESH)


@pytest.mark.parametrize("option", [*REFRESH.values(), *CHUNK.values()])
def test_every_flag_is_an_option_that_says_what_it_does(option: str) -> None:
    assert get_option_field(option).description


def test_flags_that_are_not_given_leave_the_defaults() -> None:
    assert parse_options(REFRESH, {**NONE, "verify": False, "include": []}, []) == RefreshOptions()


def test_flags_and_settings_are_options() -> None:
    found = parse_options(
        REFRESH, {**NONE, "size": 96, "workers": 0, "rebuild": True, "exclude": ["a/**"]}, ["gate.max_tiny_share=0.6"]
    )
    assert (found.chunk.size_tokens, found.limits.workers, found.publish.rebuild) == (96, 0, True)
    assert (found.plan.exclude, found.gate.max_tiny_share) == (("a/**",), 0.6)
    assert found.limits.model_fields_set == {"workers"}


@pytest.mark.parametrize("setting", ["size=3", "chunk.size_tokens", "=", "chunk.=3"])
def test_a_setting_of_another_form_is_refused(setting: str) -> None:
    with pytest.raises(InputError):
        parse_options(REFRESH, NONE, [setting])
