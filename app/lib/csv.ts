/**
 * CSV as RFC 4180 has it and spreadsheets need it: every cell quoted, lines ended with CR LF, and a mark at the start
 * that says UTF-8.
 */
export const CSV_START = "\ufeff";

/** What a spreadsheet would take for a formula, also written in full width. An apostrophe in front makes it a text. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

export type CsvCell = string | number | null;

/** One line. `null` is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  const text = cell === null ? "" : String(cell);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
