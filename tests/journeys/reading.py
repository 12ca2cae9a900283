"""Reading a page's tables as a person does: by name and column head."""

from playwright.sync_api import Page


def standings_rows(page: Page) -> dict[str, dict[str, str]]:
    """Each player's cells by column head, in order down the table."""
    heads = [head.strip() for head in page.locator("table.standings thead th").all_inner_texts()]
    rows = {}
    for row in page.locator("table.standings tbody tr").all():
        cells = [cell.strip() for cell in row.locator("th, td").all_inner_texts()]
        name = row.locator("th a").inner_text().strip()
        rows[name] = dict(zip(heads, cells, strict=True))
    return rows
