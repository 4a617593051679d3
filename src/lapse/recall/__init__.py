"""Which memories come to mind for a query. Never deletes and never moves a memory."""
