"""Brings in what other tools have kept: read by bytes, damage isolated and named, nothing added twice."""
