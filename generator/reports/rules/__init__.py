"""The rules of the check, in one table: one module a rule, named like its id."""

from __future__ import annotations

from generator.reports.rules import (
    charset,
    chart_container,
    chart_height,
    chart_replaced,
    chart_runtime,
    compound_if,
    dead_anchor,
    dead_event,
    duplicate_id,
    dynamic_code,
    if_operand,
    image_alt,
    json_syntax,
    markdown_fence,
    markup_from_script,
    missing_quickui,
    page_size,
    script_host,
    script_syntax,
    script_throws,
    secret,
    template_expression,
    title,
    truncated_page,
    viewport,
    wide_table,
)
from generator.reports.rules.base import Problem, Rule

RULES: tuple[Rule, ...] = (
    # What rejects a page.
    page_size.RULE,
    missing_quickui.RULE,
    script_syntax.RULE,
    script_throws.RULE,
    json_syntax.RULE,
    markup_from_script.RULE,
    template_expression.RULE,
    compound_if.RULE,
    if_operand.RULE,
    chart_container.RULE,
    chart_replaced.RULE,
    dead_event.RULE,
    duplicate_id.RULE,
    markdown_fence.RULE,
    truncated_page.RULE,
    dynamic_code.RULE,
    secret.RULE,
    # What is told and passes.
    title.RULE,
    charset.RULE,
    viewport.RULE,
    chart_height.RULE,
    chart_runtime.RULE,
    wide_table.RULE,
    script_host.RULE,
    dead_anchor.RULE,
    image_alt.RULE,
)

__all__ = ["RULES", "Problem", "Rule"]
