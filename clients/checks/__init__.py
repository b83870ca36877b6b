"""Real MCP clients against a real hub. See ../README.md."""
