import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link, useLinksInside } from "./link";
import { VisuallyHidden } from "./text";

/** Repeats the roles of the elements, because browsers drop them for a table whose rows are laid out as a grid. */
export const TABLE_ROLES = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  columnHeader: { role: "columnheader" },
  rowHeader: { role: "rowheader" },
  cell: { role: "cell" },
} as const;

export type RowColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  header?: boolean;
  labelHidden?: boolean;
  labelled?: boolean;
  controls?: boolean;
  control?: ReactNode;
  /** The others share what is left. */
  width?: string;
  sort?: { to: string; order: "ascending" | "descending" | "none" };
};

type RowTableProps<Row> = {
  labelledBy: string;
  layout?: string;
  columns: readonly RowColumn<Row>[];
  rows: readonly Row[];
  /** Renders the rows as new elements when it changes, so that what was selected or set in them is cleared. */
  resetKey?: string;
};

const ARROWS = { ascending: " ↑", descending: " ↓", none: "" };

/** A table, rows of two lines or cards. Their look stands in `styles/list-rows.css`, so that no cell repeats it. */
export function RowTable<Row extends { id: string }>({
  labelledBy,
  layout,
  columns,
  rows,
  resetKey,
}: RowTableProps<Row>) {
  const links = useLinksInside();
  return (
    <table className="list-table" {...TABLE_ROLES.table} aria-labelledby={labelledBy} {...links}>
      <thead className="list-head" {...TABLE_ROLES.group}>
        <tr {...TABLE_ROLES.row}>
          {columns.map(({ label, labelHidden, controls, control, sort, width }) => (
            <th
              key={label}
              scope="col"
              className={cx(width, controls && "print:hidden") || undefined}
              {...TABLE_ROLES.columnHeader}
              aria-sort={sort?.order}
            >
              {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : null}
              {sort ? <Link to={sort.to}>{label}</Link> : null}
              {sort || labelHidden ? null : label}
              {sort ? <span aria-hidden="true">{ARROWS[sort.order]}</span> : null}
              {control}
            </th>
          ))}
        </tr>
      </thead>
      <tbody key={resetKey} className={cx("list-rows", layout)} {...TABLE_ROLES.group}>
        {rows.map((row) => (
          <tr key={row.id} id={row.id} {...TABLE_ROLES.row}>
            {columns.map(({ label, header, labelled, controls, cell }) =>
              header ? (
                <th key={label} scope="row" {...TABLE_ROLES.rowHeader}>
                  {cell(row)}
                </th>
              ) : (
                <td
                  key={label}
                  {...TABLE_ROLES.cell}
                  data-label={labelled ? label : undefined}
                  data-controls={controls ? "" : undefined}
                >
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
