"""What agent hosts are told, and what they tell: their configuration files and their hooks. It answers no question."""
