"""The commands; each file is one."""
