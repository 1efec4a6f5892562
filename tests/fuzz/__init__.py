"""What a fuzzer is let loose on. Run by `make fuzz`; the corpus is in `corpus/`, and tried by every `make test`."""
