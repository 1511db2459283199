"""The command line: commands for scripts and servers, exit codes, one line an error."""
