"""What machines cost and bring: Dask beside threads, the scheduler's limits, a plan of machines, hours and money."""
