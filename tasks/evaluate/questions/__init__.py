"""Where questions come from: files of other kinds, language models, the documents themselves."""
