"""Reports: what was published or refused, for the command line and the Prefect UI."""
