"""The unit files, as data: `navlog install service` reads them from here. No code."""
