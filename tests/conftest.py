from flows.cli import be_quiet

be_quiet()
