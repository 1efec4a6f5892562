"""`navlog`, and `python -m navlog.daemon`."""

from navlog.daemon.cli.main import main

if __name__ == "__main__":
    main()
