"""Charts: SVG made of values, for the report and for pictures in the Prefect UI. Their letters can be read on a phone."""
