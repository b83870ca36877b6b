"""MiniWoB's tasks, solved through Outrigger by scripts that only read. See ../README.md."""
