"""Brings the rows of full backups of earlier versions up to the current one."""

from typing import Any

from league.ranking.pots import PRIZE, STAKE


def brought_up(rows: Any) -> Any:
    """The rows, with names and payments of earlier versions as they are now. What is malformed
    stays as it is, to be refused."""
    if not isinstance(rows, dict):
        return rows
    rows = {"SeatingRequest" if name == "Wish" else name: rows[name] for name in rows}
    if isinstance(rows.get("Payment"), list):
        rows["Payment"] = [_with_kind(row) for row in rows["Payment"]]
    return rows


def has_payments_without_kinds(data: Any) -> bool:
    """Whether payments say only which way the money went."""
    rows = data.get("rows") if isinstance(data, dict) else None
    payments = rows.get("Payment") if isinstance(rows, dict) else None
    return isinstance(payments, list) and any(_has_no_kind(row) for row in payments)


def _has_no_kind(row: Any) -> bool:
    return isinstance(row, dict) and isinstance(row.get("out"), bool) and "kind" not in row


def _with_kind(row: Any) -> Any:
    if not _has_no_kind(row):
        return row
    return {name: row[name] for name in row if name != "out"} | {
        "kind": PRIZE if row["out"] else STAKE
    }
