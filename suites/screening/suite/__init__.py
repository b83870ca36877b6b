"""Texts of others, gathered for screening: attacks and harmless ones."""
