"""The command line: parse, call, print. No logic lives here."""
