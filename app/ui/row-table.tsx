import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link, useLinksInside } from "./link";
import { TABLE_ROLES } from "./table-roles";
import { VisuallyHidden } from "./visually-hidden";

export type RowColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Tells whether the cell names the row; it is the row's header, and its link covers the row. */
  header?: boolean;
  /** Tells whether the label is hidden, except from screen readers. */
  labelHidden?: boolean;
  /** Tells whether the label is repeated before the value where the rows are cards, without a head. */
  labelled?: boolean;
  /** Tells whether it holds nothing but what can be pressed, which has no use on paper. */
  controls?: boolean;
  /** Holds a control for the whole column, in its head. */
  control?: ReactNode;
  /** Holds the classes of its head, which say how wide the column is. The others share what is left. */
  width?: string;
  sort?: { to: string; order: "ascending" | "descending" | "none" };
};

type RowTableProps<Row> = {
  /** Holds the id of the element that says what the rows are and how many. */
  labelledBy: string;
  /** Holds a class of the rows, for what their list has of its own in `styles/list-rows.css`. */
  look?: string;
  columns: readonly RowColumn<Row>[];
  rows: readonly Row[];
  /** Renders the rows as new elements when it changes, so that what was selected or set in them is cleared. */
  resetKey?: string;
};

const ARROWS = { ascending: " ↑", descending: " ↓", none: "" };

/**
 * Renders the rows of a list, each of which opens its record: a table where there is room, rows of two lines, cards.
 * Their look stands in `styles/list-rows.css`, so that no cell repeats it; for the same reason cells hold plain
 * elements.
 */
export function RowTable<Row extends { id: string }>({
  labelledBy,
  look,
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
      <tbody key={resetKey} className={cx("list-rows", look)} {...TABLE_ROLES.group}>
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
