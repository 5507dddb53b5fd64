import type { FilterField } from "./fields";

/*
 * A list is two definitions. This one is what browser and server both know: its address, the fields it can be narrowed
 * by, and its orders. The other one (`definition.server.ts`) is what the database knows of it.
 */

type ListInput<Values, Sort extends string, OrderName extends string> = {
  /** Names the list in saved views, and its file: `submissions` is exported as `submissions.csv`. */
  name: string;
  /** The address of the list. */
  path: string;
  /** What its rows are called. */
  noun: { one: string; many: string };
  /** What it can be narrowed by, in the order in which the address says it. */
  fields: { [Name in keyof Values]: FilterField<Values[Name]> };
  /** What it can be ordered by, each usually a column that has a heading. */
  orders: Record<OrderName, ListOrder<Sort, keyof Values>>;
  /** The order the list has when the address says nothing. */
  defaultSort: Sort;
  sortLabels: Readonly<Record<Sort, string>>;
  /** Resolves fields that exclude each other. */
  settle?: (values: Values) => Values;
  /** Why nothing can match, in a sentence; such a filter is never asked of the database. */
  impossible?: (values: Values) => string | null;
};

type ListOrder<Sort extends string, FieldName> = {
  /** The `sort` of the address that begins with the smallest value, and the one that begins with the greatest. */
  ascending?: Sort;
  descending?: Sort;
  /** Newest first is what people expect of moments; of everything else, from A to Z. */
  isTime?: boolean;
  /** The fields beside which the order is offered, because an index serves both. Absent: beside all of them. */
  within?: readonly FieldName[];
};

/** Holds what the address of a list says. */
export type ListFilter<Values, Sort extends string> = Values & { sort: Sort };

/** Holds parameters of an address beside the filter: `after`, `before`, `size`. */
type Extra = Record<string, string | null>;

type SortLink = { to: string; order: "ascending" | "descending" | "none" };

/** Tells what the links to the neighbouring pages are called. */
type PageLabels = { previous: string; next: string };

export type List<Values, Sort extends string, OrderName extends string> = ListInput<Values, Sort, OrderName> & {
  sorts: readonly Sort[];
  /** Reads an address; anything malformed narrows nothing. */
  readFilter: (params: URLSearchParams) => ListFilter<Values, Sort>;
  /** Writes the query string of a filter, without "?" and always in the same order; empty for the whole list. */
  query: (filter: ListFilter<Values, Sort>, extra?: Extra) => string;
  /** The address of the list with this filter. */
  pathTo: (filter: ListFilter<Values, Sort>, extra?: Extra) => string;
  /** The file of what an address of the list shows: the rows it names one by one, or those of its filter. */
  exportPath: (params: URLSearchParams) => string;
  /** Whether the filter leaves anything out, so that there is something to clear. */
  isNarrowed: (values: Values) => boolean;
  /** Whether the rows of a filter can be had in an order. */
  offersSort: (values: Values, sort: Sort) => boolean;
  /**
   * What the heading of a column links to and what it says of the order now. Undefined: this list has no such order.
   */
  sortLink: (filter: ListFilter<Values, Sort>, order: OrderName, extra?: Extra) => SortLink | undefined;
  /** The orders a filter can be had in, as choices. */
  sortOptions: (values: Values) => { value: Sort; label: string }[];
  pageLabels: (sort: Sort) => PageLabels;
};

/** Extracts the filter of a list: `FilterOf<typeof submissionList>`. */
export type FilterOf<Defined> = Defined extends { readFilter: (params: URLSearchParams) => infer Filter }
  ? Filter
  : never;

/** Makes a list out of its definition. */
export function defineList<Values, Sort extends string, OrderName extends string>(
  input: ListInput<Values, Sort, OrderName>,
): List<Values, Sort, OrderName> {
  const { name, path, fields, orders, defaultSort } = input;
  const names = Object.keys(fields) as (keyof Values & string)[];
  const orderNames = Object.keys(orders) as OrderName[];
  const sortsOf = (order: OrderName) => {
    const { ascending, descending, isTime } = orders[order];
    return isTime ? [descending, ascending] : [ascending, descending];
  };
  const sorts = orderNames.flatMap(sortsOf).filter((sort) => sort !== undefined);
  const paramOf = (field: keyof Values & string) => fields[field].param ?? field;
  const written = (values: Values) => names.map((field) => [field, fields[field].write(values[field])] as const);

  const narrowing = (values: Values) => written(values).filter(([, text]) => text !== null);

  function offersSort(values: Values, sort: Sort): boolean {
    const order = orderNames.find((candidate) => sortsOf(candidate).includes(sort));
    if (!order) return false;
    const { within } = orders[order];
    return !within || narrowing(values).every(([field]) => within.includes(field));
  }

  function readFilter(params: URLSearchParams): ListFilter<Values, Sort> {
    const read = names.map((field) => [field, fields[field].read(params.get(paramOf(field)) ?? "")]);
    const typed = Object.fromEntries(read) as Values;
    const values = input.settle?.(typed) ?? typed;
    const wanted = sorts.find((sort) => sort === params.get("sort"));
    const sort = [wanted, defaultSort, ...sorts].find((candidate) => candidate && offersSort(values, candidate));
    return { ...values, sort: sort ?? defaultSort };
  }

  function query(filter: ListFilter<Values, Sort>, extra: Extra = {}): string {
    const entries = [
      ...written(filter).map(([field, text]) => [paramOf(field), text] as const),
      ["sort", filter.sort === defaultSort ? null : filter.sort] as const,
      ...Object.entries(extra),
    ];
    return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== null)).toString();
  }

  const withQuery = (address: string, text: string) => (text ? `${address}?${text}` : address);
  const pathTo = (filter: ListFilter<Values, Sort>, extra?: Extra) => withQuery(path, query(filter, extra));

  function exportPath(params: URLSearchParams): string {
    const ids = params.get("ids");
    const text = ids === null ? query(readFilter(params)) : new URLSearchParams({ ids }).toString();
    return withQuery(`/admin/exports/${name}.csv`, text);
  }

  function sortLink(filter: ListFilter<Values, Sort>, order: OrderName, extra?: Extra): SortLink | undefined {
    const { ascending, descending } = orders[order];
    const [first, second] = sortsOf(order);
    if (!first || !second || !offersSort(filter, first)) return undefined;
    const to = pathTo({ ...filter, sort: filter.sort === first ? second : first }, extra);
    const now = filter.sort === ascending ? "ascending" : filter.sort === descending ? "descending" : "none";
    return { to, order: now };
  }

  const sortOptions = (values: Values) =>
    sorts.filter((sort) => offersSort(values, sort)).map((value) => ({ value, label: input.sortLabels[value] }));

  function pageLabels(sort: Sort): PageLabels {
    const time = orderNames.map((order) => orders[order]).filter(({ isTime }) => isTime);
    if (time.some(({ descending }) => descending === sort)) return { previous: "Newer", next: "Older" };
    if (time.some(({ ascending }) => ascending === sort)) return { previous: "Older", next: "Newer" };
    return { previous: "Previous", next: "Next" };
  }

  const isNarrowed = (values: Values) => narrowing(values).length > 0;
  return {
    ...input,
    sorts,
    readFilter,
    query,
    pathTo,
    exportPath,
    isNarrowed,
    offersSort,
    sortLink,
    sortOptions,
    pageLabels,
  };
}
