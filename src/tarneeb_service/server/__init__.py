"""The process that serves: settings, admission, threads, health, reflection, certificates, its start and its end."""
