"""What several tests build their worlds from."""
