"""Refreshes from places on loopback: real servers, and what goes wrong on the way."""
