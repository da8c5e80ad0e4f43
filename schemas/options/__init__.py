"""Options: frozen models, the same for flow parameters, environment variables and `pagemill.toml`."""
