"""TeX formulas to MathML, which browsers draw without a script."""

from __future__ import annotations

from functools import cache

from math_core import LatexError, LatexToMathML


class FormulaError(ValueError):
    """A formula that is not TeX.

    Args:
        reason: What is wrong, as a clause.
        offset: Characters into the formula.
    """

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


@cache
def _converter() -> LatexToMathML:
    return LatexToMathML(fancy_error=False)


def formula_to_mathml(tex: str, *, display: bool) -> str:
    """Convert a formula.

    Args:
        tex: The formula without its dollar signs.
        display: It stands on a line of its own.

    Raises:
        FormulaError: The formula is not valid.
    """
    try:
        mathml = _converter().convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        offset, _, reason = str(error).partition(": ")
        place = int(offset) if offset.isdigit() else 0
        raise FormulaError((reason or str(error)).rstrip("."), place) from error
    return str(mathml)
