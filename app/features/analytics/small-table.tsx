import type { ReactNode } from "react";
import { cx } from "~/ui/cx";

/** Describes a column. `hasPoint`: its numbers have decimals; digits of equal width would set the point apart. */
type SmallColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  isText?: boolean;
  hasPoint?: boolean;
};

type SmallTableProps<Row> = {
  caption: ReactNode;
  note?: ReactNode;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  hasSum?: boolean;
};

/** Shows the numbers of a chart as a table. The first column names the row; numbers stand at the right. */
export function SmallTable<Row>({ caption, note, columns, rows, rowKey, hasSum = false }: SmallTableProps<Row>) {
  const align = ({ isText }: SmallColumn<Row>, index: number) => (isText || index === 0 ? "text-left" : "text-right");
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-sm [&_tbody_th]:border-line [&_tbody_th]:border-t [&_td]:border-line [&_td]:border-t [&_td]:px-4 [&_td]:py-2 [&_th]:px-4 [&_th]:py-2">
        <caption className="px-4 pt-3 pb-2 text-left font-semibold text-ink text-md">
          {caption}
          {note ? <small className="block font-normal text-ink-2 text-xs">{note}</small> : null}
        </caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.label}
                scope="col"
                className={cx("font-semibold text-ink-2 text-xs", align(column, index))}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={hasSum ? "[&>tr:last-child]:font-semibold" : undefined}>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" className="text-left [font-weight:inherit]">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.label} className={cx(align(column, index), !column.hasPoint && "tabular-nums")}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
