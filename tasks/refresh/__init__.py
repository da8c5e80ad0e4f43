"""What a refresh is made of: plan, recipes, the run, the Prefect tasks of its steps."""
