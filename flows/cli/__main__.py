"""`python -m flows.cli` is `pagemill`."""

from flows.cli.main import main

if __name__ == "__main__":
    main()
