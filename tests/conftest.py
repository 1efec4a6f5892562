"""What holds for every test: a property is judged by its truth, not by how long a busy machine took."""

from hypothesis import settings

settings.register_profile("navlog", deadline=None)
settings.load_profile("navlog")
