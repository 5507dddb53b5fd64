import { type ListFilter, type ListSort, listPath, offersSort } from "./list-filter";

/** The columns the list can be sorted by: the order from their beginning and the one from their end. */
const COLUMNS = {
  name: { ascending: "name", descending: "name_desc" },
  status: { ascending: "status", descending: "status_desc" },
  submitted: { ascending: "oldest", descending: "newest" },
} as const satisfies Record<string, Record<"ascending" | "descending", ListSort>>;

export type SortedColumn = keyof typeof COLUMNS;

/** Where the heading of a column leads and what it says of the order now. Undefined: this list has no such order. */
export function columnSort(
  filter: ListFilter,
  column: SortedColumn,
  extra: Record<string, string | null>,
): { to: string; order: "ascending" | "descending" | "none" } | undefined {
  const { ascending, descending } = COLUMNS[column];
  if (!offersSort(filter, ascending)) return undefined;
  const [first, second] = column === "submitted" ? [descending, ascending] : [ascending, descending];
  const sort = filter.sort === first ? second : first;
  const order = filter.sort === ascending ? "ascending" : filter.sort === descending ? "descending" : "none";
  return { to: listPath({ ...filter, sort }, extra), order };
}
