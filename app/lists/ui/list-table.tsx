import { type RowColumn, RowTable } from "~/ui/row-table";
import { ROWS_CAPTION } from "../match-count";
import type { ListRead } from "../model";
import { type PageSize, sizeParam } from "../page-size";

/** Holds what the columns of a list are made of. */
export type ShownRows<Row, Column extends string = never> = Pick<ListRead<Row>, "zone" | "readAt"> & {
  rows: readonly Row[];
  /** Holds the query of the list, which its records keep for the way back. */
  query: string;
  /** Returns the sort link of a column's heading; undefined where the list cannot be sorted by it. */
  sortOf: (column: Column) => RowColumn<Row>["sort"];
};

/** Holds what the table of a list is given by its panel. */
export type ListTableProps<Row, Filter> = {
  list: ListRead<Row>;
  filter: Filter;
  size: PageSize;
  /** Changes with every navigation, and clears what was selected or set in the rows. */
  resetKey?: string;
};

type TableOfList<Row, Filter, Column extends string> = ListTableProps<Row, Filter> & {
  definition: {
    query: (filter: Filter) => string;
    sortLink: (filter: Filter, column: Column, extra: { size: string | null }) => RowColumn<Row>["sort"];
  };
  /** Holds a class of the rows, for what their list has of its own in `styles/list-rows.css`. */
  look?: string;
  columns: (shown: ShownRows<Row, Column>) => readonly RowColumn<Row>[];
};

/** Shows the rows of a page of a list in its columns. */
export function ListTable<Row extends { id: string }, Filter, Column extends string>(
  props: TableOfList<Row, Filter, Column>,
) {
  const { definition, filter, size, columns, ...table } = props;
  const { rows } = props.list.page;
  const shown = {
    ...props.list,
    rows,
    query: definition.query(filter),
    sortOf: (column: Column) => definition.sortLink(filter, column, { size: sizeParam(size) }),
  };
  return <RowTable {...table} labelledBy={ROWS_CAPTION} columns={columns(shown)} rows={rows} />;
}
