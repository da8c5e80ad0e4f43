import pytest

pytest.register_assert_rewrite("tests.soak.night", "tests.soak.kills.scenes", "tests.soak.readers", "tests.soak.state")
