/** Prints rows of the same shape with the names of their fields as headings; numbers are set to the right. */
export function printTable(title, rows) {
  const columns = Object.keys(rows[0] ?? {});
  const text = (value) => (typeof value === "number" ? value.toLocaleString("en-US") : String(value ?? "–"));
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => text(row[column]).length)));
  const line = (cells) => cells.join("  ").trimEnd();
  console.log(`\n${title}\n`);
  console.log(line(columns.map((column, index) => pad(column, widths[index], typeof rows[0][column] === "number"))));
  for (const row of rows) {
    console.log(
      line(columns.map((column, index) => pad(text(row[column]), widths[index], typeof row[column] === "number"))),
    );
  }
}

const pad = (text, width, isNumber) => (isNumber ? text.padStart(width) : text.padEnd(width));
