"""What a fuzzer is let loose on. Run by `make fuzz`; `make test` tries the corpus."""
