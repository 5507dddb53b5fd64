import type { ReactNode } from "react";
import { cx } from "./cx";
import { resultAttributes } from "./page";
import { TABLE_ROLES } from "./row-table";

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  header?: boolean;
  wide?: boolean;
  noWrap?: boolean;
  labelled?: boolean;
};

type DataTableProps<Row> = {
  id: string;
  caption: ReactNode;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
};

const scrollable = { tabIndex: 0 };

const ROWS = cx(
  "max-md:block",
  "*:hover:bg-[color-mix(in_oklab,var(--color-brand-tint)_45%,transparent)]",
  // On a phone it becomes a card.
  "max-md:*:relative max-md:*:mb-3 max-md:*:grid max-md:*:grid-cols-[1fr_1fr] max-md:*:gap-x-4 max-md:*:gap-y-3",
  "max-md:*:rounded-3 max-md:*:border max-md:*:border-line max-md:*:bg-sheet max-md:*:p-4",
  // A cell. Its words break as late as possible: a column is as wide as its longest ordinary word.
  "*:*:text-left *:*:align-top *:*:font-normal",
  "md:*:*:max-w-68 md:*:*:border-line md:*:*:border-b md:*:*:px-3 md:*:*:py-[0.7rem]",
  "md:*:last:*:border-b-0 md:*:*:first:pl-4",
  "max-md:*:*:wrap-anywhere max-md:*:*:min-w-0 max-md:*:*:p-0",
  "max-md:*:*:data-label:before:block max-md:*:*:data-label:before:text-ink-3 max-md:*:*:data-label:before:text-xs max-md:*:*:data-label:before:content-[attr(data-label)]",
  "md:[&_th]:min-w-44",
);

/** The region can be focused, or its right half could not be reached by keyboard. */
export function DataTable<Row>({ id, caption, columns, rows, rowKey, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return empty;
  return (
    <section
      // Positioned: visually hidden text inside would otherwise widen the page.
      className="relative overflow-x-auto rounded-3 border border-line bg-sheet max-md:overflow-visible max-md:border-0 max-md:bg-transparent"
      aria-labelledby={`${id}-caption`}
      {...scrollable}
    >
      <table className="w-full max-md:block" {...TABLE_ROLES.table}>
        <caption
          id={`${id}-caption`}
          className="text-left text-ink-2 max-md:block max-md:pb-[0.7rem] md:border-line md:border-b md:px-4 md:py-[0.7rem]"
          {...resultAttributes}
        >
          {caption}
        </caption>
        <thead className="max-md:sr-only" {...TABLE_ROLES.group}>
          <tr {...TABLE_ROLES.row}>
            {columns.map((column) => (
              <HeaderCell key={column.label} label={column.label} />
            ))}
          </tr>
        </thead>
        <tbody className={ROWS} {...TABLE_ROLES.group}>
          {rows.map((row) => (
            <tr {...TABLE_ROLES.row} key={rowKey(row)} id={rowKey(row)}>
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

function HeaderCell({ label }: { label: string }) {
  return (
    <th
      scope="col"
      className="max-w-68 whitespace-nowrap border-line-strong border-b px-3 py-[0.6rem] text-left align-top font-semibold text-ink-2 text-xs first:pl-4"
      {...TABLE_ROLES.columnHeader}
    >
      {label}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = cx(column.wide && "max-md:col-span-full", column.noWrap && "md:whitespace-nowrap") || undefined;
  if (column.header) {
    return (
      <th scope="row" {...TABLE_ROLES.rowHeader} className={className}>
        {column.cell(row)}
      </th>
    );
  }
  return (
    <td {...TABLE_ROLES.cell} className={className} data-label={column.labelled ? column.label : undefined}>
      {column.cell(row)}
    </td>
  );
}
