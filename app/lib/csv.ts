/** Without this byte order mark Excel reads a CSV file in a local encoding. */
export const UTF8_BOM = "\ufeff";

/** Matches text that a spreadsheet would run as a formula (OWASP: CSV injection), full-width characters included. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

export type CsvCell = string | number | null;

export const inUtc = (at: number | null): CsvCell => (at === null ? null : new Date(at).toISOString());

/** Writes one line according to RFC 4180: every cell quoted, CR LF at the end. `null` is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  const text = cell === null ? "" : String(cell);
  // The apostrophe makes a spreadsheet read the cell as text.
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
