"""Pages of seasons: the list, their rules, their divisions, the next one."""
