from hypothesis import HealthCheck, settings

from flows.cli import be_quiet

be_quiet()
settings.register_profile("pagemill", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pagemill")  # a busy machine is no failure
