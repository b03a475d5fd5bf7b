"""What the exit codes mean; the help of each command says which it has."""

DONE = 0
# Of what was read, or of serving: it could not start or was cut short.
WRONG = FAILED = 1
UNREADABLE = BAD_SETTINGS = 2
NO_RICH = 3
INTERRUPTED = 130
