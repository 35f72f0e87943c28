/** A table whose column headings sort it. */

import { el, fill } from "./dom.js";

export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number;
  /** Decimals of a number; as it is by default. */
  readonly digits?: number;
  /** Holds sentences. */
  readonly wide?: boolean;
  /** Numbers are sorted from the largest down first; false turns that round. */
  readonly descendingFirst?: boolean;
}

/** The rows stay as given until a heading is pressed. The table scrolls sideways in a box of its own.
 * @param label names the table for a screen reader */
export function sortableTable<Row>(
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  rowClass: (row: Row) => string,
): HTMLElement {
  const body = el("tbody");
  let sorted: { readonly column: number; readonly descending: boolean } | undefined;
  const headings = columns.map(({ name }, column) =>
    el("th", { scope: "col" }, el("button", { type: "button", onclick: () => sortBy(column) }, name)),
  );
  const draw = (shown: readonly Row[]) => fill(body, ...shown.map((row) => tableRow(columns, row, rowClass(row))));
  const sortBy = (column: number) => {
    const chosen = columns[column];
    if (!chosen) return;
    const descending = sorted?.column === column ? !sorted.descending : first(chosen, rows);
    sorted = { column, descending };
    headings.forEach((heading, index) => {
      if (index === column) heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    });
    draw([...rows].sort((a, b) => compare(chosen.value(a), chosen.value(b)) * (descending ? -1 : 1)));
  };
  draw(rows);
  return el(
    "div",
    { class: "table-box", role: "region", "aria-label": label, tabindex: 0 },
    el("table", {}, el("thead", {}, el("tr", {}, ...headings)), body),
  );
}

function tableRow<Row>(columns: readonly Column<Row>[], row: Row, className: string): HTMLElement {
  return el(
    "tr",
    { class: className },
    ...columns.map(({ value, digits, wide }) => {
      const cell = value(row);
      const shown = typeof cell === "number" && digits !== undefined ? cell.toFixed(digits) : String(cell);
      return el("td", { class: wide ? "wide" : typeof cell === "number" ? "number" : "", dir: wide ? "auto" : undefined }, shown);
    }),
  );
}

function first<Row>({ value, descendingFirst }: Column<Row>, rows: readonly Row[]): boolean {
  return descendingFirst ?? (rows[0] !== undefined && typeof value(rows[0]) === "number");
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}
