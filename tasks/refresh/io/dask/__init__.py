"""Machines: the steps of a refresh on the workers of a Dask cluster. Only the flow's process publishes."""
