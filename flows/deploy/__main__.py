"""Deploy what pagemill.toml and the environment name, to the server at PREFECT_API_URL: python -m flows.deploy."""

from flows.deploy.command import main

main()
