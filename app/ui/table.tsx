import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";
import { asResult } from "./page-announcer";

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The cell that names the row; it is the row's header. */
  header?: boolean;
  /** Takes the full width of the card that a row becomes on a phone. */
  wide?: boolean;
  /** Keeps the value on one line. */
  keep?: boolean;
  /** Repeats the label above the value on a phone, where the header row is gone. */
  labelled?: boolean;
  /** The label is only for screen readers. */
  silent?: boolean;
  /** A control for the whole column, in its head. */
  control?: ReactNode;
  sort?: { to: string; order: "ascending" | "descending" | "none" };
};

type DataTableProps<Row> = {
  id: string;
  /** What the rows are and how many: it names the table and its scroll region. */
  caption: ReactNode;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Rows of another drawing are new elements: ticks and choices made in the ones before are gone. */
  drawing?: string;
  /** Stands in place of the table when there are no rows. */
  empty: ReactNode;
};

const scrollable = { tabIndex: 0 };

/** What the elements already mean, said again: browsers drop the meaning of a table whose rows are laid out as a grid. */
const ROLES = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  columnHeader: { role: "columnheader" },
  rowHeader: { role: "rowheader" },
  cell: { role: "cell" },
} as const;

/**
 * A table that scrolls in its own region on a desk and becomes cards on a phone. The region can be focused, or its
 * right half could not be reached by keyboard.
 */
export function DataTable<Row>({ id, caption, columns, rows, rowKey, drawing, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return empty;
  return (
    <section className="scroll" aria-labelledby={`${id}-caption`} {...scrollable}>
      <table className="data" {...ROLES.table}>
        <caption id={`${id}-caption`} {...asResult}>
          {caption}
        </caption>
        <thead {...ROLES.group}>
          <tr {...ROLES.row}>
            {columns.map((column) => (
              <HeaderCell key={column.label} {...column} />
            ))}
          </tr>
        </thead>
        <tbody key={drawing} {...ROLES.group}>
          {rows.map((row) => (
            <tr {...ROLES.row} key={rowKey(row)} id={rowKey(row)}>
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HeaderCell<Row>({ label, silent, control, sort }: Column<Row>) {
  const words = sort ? <Link to={sort.to}>{label}</Link> : label;
  return (
    <th scope="col" {...ROLES.columnHeader} aria-sort={sort?.order}>
      {silent ? <span className="vh">{label}</span> : words}
      {control}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = cx(column.wide && "wide", column.keep && "keep") || undefined;
  if (column.header) {
    return (
      <th scope="row" {...ROLES.rowHeader} className={className}>
        {column.cell(row)}
      </th>
    );
  }
  return (
    <td {...ROLES.cell} className={className} data-label={column.labelled ? column.label : undefined}>
      {column.cell(row)}
    </td>
  );
}
