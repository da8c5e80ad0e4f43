import pytest

pytest.register_assert_rewrite("tests.nights.night", "tests.nights.kills.scenes", "tests.nights.readers", "tests.nights.state")
