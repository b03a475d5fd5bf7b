"""The program of clients/PROGRAM.md: a game backend in small."""
