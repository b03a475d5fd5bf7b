"""``python -m tarneeb_service``."""

from tarneeb_service.cli.main import main

if __name__ == "__main__":
    main()
