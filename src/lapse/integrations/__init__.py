"""One file per agent framework, each optional. Translates calls; decides nothing."""
