"""Keep and fetch. A store never ranks and never decides."""
