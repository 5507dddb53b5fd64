import { type RowColumn, RowTable } from "~/ui/row-table";
import { type ListRead, type PageSize, ROWS_CAPTION, sizeParam } from "../model";

export type ShownRows<Row, Column extends string = never> = Pick<ListRead<Row>, "zone" | "readAt"> & {
  rows: readonly Row[];
  query: string;
  sortOf: (column: Column) => RowColumn<Row>["sort"];
};

export type ListTableProps<Row, Filter> = {
  list: ListRead<Row>;
  filter: Filter;
  size: PageSize;
  resetKey?: string;
};

type TableOfList<Row, Filter, Column extends string> = ListTableProps<Row, Filter> & {
  definition: {
    query: (filter: Filter) => string;
    sortLink: (filter: Filter, column: Column, extra: { size: string | null }) => RowColumn<Row>["sort"];
  };
  layout?: string;
  columns: (shown: ShownRows<Row, Column>) => readonly RowColumn<Row>[];
};

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
