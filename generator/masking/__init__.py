"""Secrets out of text: keys, tokens, passwords, private keys; e-mails and home folders by choice.

Finding is by shape: the prefixes that makers give their keys (`makers`), and the names people
give a value (`assignments`). Random-looking text without either, such as a commit hash, is left
alone. Time is linear in the text, and no value is ever printed, logged or kept.
"""

from generator.masking.finder import Masked, Secret, count_kinds, find_secrets, mask

__all__ = ["Masked", "Secret", "count_kinds", "find_secrets", "mask"]
