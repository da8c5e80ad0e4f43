"""What is done, a room for every step. Rooms import downwards; what reaches the world stands in folders named `io`."""
