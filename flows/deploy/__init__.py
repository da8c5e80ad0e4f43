"""What `make deploy` does: deployments, their limits and triggers, and alarms, on a Prefect server."""
