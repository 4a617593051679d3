"""The lab as faces show it: pictures and one page of HTML. Decides nothing about forgetting."""
