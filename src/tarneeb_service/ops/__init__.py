"""Running the service: settings, server, health, logs, metrics, shutdown and the command line."""
