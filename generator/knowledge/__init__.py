"""What people and agents want kept: durable facts, and the operator's notes."""
