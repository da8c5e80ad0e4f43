"""What is computed: pure functions, the same input always gives the same output."""
