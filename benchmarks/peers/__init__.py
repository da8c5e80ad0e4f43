"""Pagemill beside other pipelines that turn a folder into LanceDB tables."""
