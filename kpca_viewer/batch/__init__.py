"""Commands for scripts and servers: no window, exit codes, one line an error."""
