import type { Ability } from "~/access/policy";
import type { FilterField } from "./fields";
import { PAGE_SIZES } from "./page-size";

/*
 * A list is defined in two files. `definition.ts`, by `defineList`, is the part that browser and server share: address,
 * filters, orders. `definition.server.ts` beside it, by `defineRows`, is the database part: table, conditions, indexes,
 * search, CSV.
 */

type ListInput<Values, Sort extends string, OrderName extends string, Viewing extends Ability> = {
  /** Names the list in saved views, and the file that is saved from it. */
  name: string;
  /** Names the ability that opens the list. Its scope decides which rows a viewer sees: `visibleTo` in `defineRows`. */
  ability: Viewing;
  /** Holds the address of the list. */
  path: string;
  /** Holds the address of its CSV file. */
  csvPath: string;
  /** Names the rows of the list. */
  noun: { one: string; many: string };
  /** Lists the filters, in the order of their parameters in the address. */
  fields: { [Name in keyof Values]: FilterField<Values[Name]> };
  /** Lists the columns by which it can be sorted. */
  orders: Record<OrderName, ListOrder<Sort, Values>>;
  /** Names the sort of an address that names none. */
  defaultSort: Sort;
  sortLabels: Readonly<Record<Sort, string>>;
  /** Names the values that are set, each as short as it can be understood, with the fields that it stands for. */
  describe: (values: Values) => readonly { label: string | null; fields: readonly (keyof Values & string)[] }[];
  /** Clears fields that another field excludes. */
  normalize?: (values: Values) => Values;
  /** Returns why no row can match, as a sentence, or null. With a reason the database is not asked. */
  noMatchReason?: (values: Values) => string | null;
};

type ListOrder<Sort extends string, Values> = {
  /** Names the values of `sort` for the two directions: smallest first, greatest first. */
  ascending?: Sort;
  descending?: Sort;
  /** Tells whether it is an order by time, which defaults to newest first; everything else defaults to ascending. */
  isTime?: boolean;
  /** Lists the filters with which an index supports this order. Absent: all of them. */
  allowedFilters?: readonly (keyof Values)[];
  /** Tells whether the order makes sense with these filters, where that depends on their values. */
  suits?: (values: Values) => boolean;
};

/** Holds the values of a list's filters and its sort, as read from an address. */
type ListFilter<Values, Sort extends string> = Values & { sort: Sort };

/** Holds further parameters of an address: `after`, `before`, `size`. */
type ExtraParams = Record<string, string | null>;

type SortLink = { to: string; order: "ascending" | "descending" | "none" };

/** Names a filter that is set, with the address of the list without it. */
export type FilterChip = { label: string; to: string };

/** Holds the texts of the links to the neighbouring pages. */
type PageLabels = { previous: string; next: string };

type List<Values, Sort extends string, OrderName extends string, Viewing extends Ability> = ListInput<
  Values,
  Sort,
  OrderName,
  Viewing
> & {
  sorts: readonly Sort[];
  /** Reads the filter of an address; malformed parameters filter nothing. */
  readFilter: (params: URLSearchParams) => ListFilter<Values, Sort>;
  /** Formats a filter as a query string without "?", always in the same order; empty for the unfiltered list. */
  query: (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => string;
  /** Returns the address of the list with this filter. */
  pathTo: (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => string;
  /**
   * Returns the address of the CSV file for an address of the list: of the rows in `ids`, or of those of the filter.
   */
  exportPath: (params: URLSearchParams) => string;
  /** Tells whether a filter is set, so that there is something to clear. */
  isFiltered: (values: Values) => boolean;
  /** Returns the filters that are set, each with the address of the list without it. */
  chips: (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => FilterChip[];
  /** Holds the values that a parameter has if it is absent. */
  defaults: { sort: Sort; size: string };
  /** Tells whether the list can be sorted this way while these filters are set. */
  offersSort: (values: Values, sort: Sort) => boolean;
  /**
   * Returns the link of a column's heading, and how the list is sorted by this column now. Undefined: the filter does
   * not allow this order.
   */
  sortLink: (filter: ListFilter<Values, Sort>, order: OrderName, extra?: ExtraParams) => SortLink | undefined;
  /** Returns the sorts that the filters allow, as options. */
  sortOptions: (values: Values) => { value: Sort; label: string }[];
  pageLabels: (sort: Sort) => PageLabels;
};

/** Extracts the filter of a list: `FilterOf<typeof submissionList>`. */
export type FilterOf<Defined> = Defined extends { readFilter: (params: URLSearchParams) => infer Filter }
  ? Filter
  : never;

/** Makes the part of a list that browser and server share out of its definition. */
export function defineList<Values, Sort extends string, OrderName extends string, Viewing extends Ability>(
  input: ListInput<Values, Sort, OrderName, Viewing>,
): List<Values, Sort, OrderName, Viewing> {
  const { path, csvPath } = input;
  const sorts = Object.values<ListOrder<Sort, Values>>(input.orders).flatMap(sortsOf);
  const offersSort = (values: Values, sort: Sort) => isSortOffered(input, values, sort);
  const readFilter = (params: URLSearchParams) => parseFilter({ ...input, sorts }, params);
  const query = (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => formatFilter(input, filter, extra);
  const pathTo = (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => withQuery(path, query(filter, extra));
  const defaults = { sort: input.defaultSort, size: String(PAGE_SIZES[0]) };
  return {
    ...input,
    sorts,
    defaults,
    chips: (filter, extra) =>
      input.describe(filter).flatMap(({ label, fields }) => {
        if (label === null) return [];
        return { label, to: pathTo({ ...filter, ...clearedFields(input, fields) }, extra) };
      }),
    readFilter,
    query,
    pathTo,
    exportPath: (params) => {
      const ids = params.get("ids");
      const selection = ids === null ? query(readFilter(params)) : new URLSearchParams({ ids }).toString();
      return withQuery(csvPath, selection);
    },
    isFiltered: (values) => activeFilters(input, values).length > 0,
    offersSort,
    sortLink: (filter, orderName, extra) => {
      const order = input.orders[orderName];
      const [first, second] = sortsOf(order);
      if (!first || !second || !offersSort(filter, first)) return undefined;
      const to = pathTo({ ...filter, sort: filter.sort === first ? second : first }, extra);
      return { to, order: directionOf(order, filter.sort) ?? "none" };
    },
    sortOptions: (values) =>
      sorts.filter((sort) => offersSort(values, sort)).map((value) => ({ value, label: input.sortLabels[value] })),
    pageLabels: (sort) => pageLabelsOf(input.orders, sort),
  };
}

/** Describes what the functions below use of a list, whatever its orders are called. */
type Definition<Values, Sort extends string> = ListInput<Values, Sort, string, Ability>;

const withQuery = (path: string, query: string) => (query ? `${path}?${query}` : path);

/** Returns the sorts of an order, the one that people expect of it first. */
function sortsOf<Sort extends string, Values>({ ascending, descending, isTime }: ListOrder<Sort, Values>): Sort[] {
  const sorts = isTime ? [descending, ascending] : [ascending, descending];
  return sorts.filter((sort) => sort !== undefined);
}

/** Returns the direction in which a sort reads an order. Undefined: it is a sort of another order. */
function directionOf<Sort extends string, Values>({ ascending, descending }: ListOrder<Sort, Values>, sort: Sort) {
  if (sort === ascending) return "ascending";
  return sort === descending ? "descending" : undefined;
}

/** Returns the fields that filter anything, each with its value as text. */
function activeFilters<Values, Sort extends string>({ fields }: Definition<Values, Sort>, values: Values) {
  const names = Object.keys(fields) as (keyof Values & string)[];
  return names.flatMap((name) => {
    const text = fields[name].format(values[name]);
    return text === null ? [] : [{ name, param: fields[name].param ?? name, text }];
  });
}

/** Returns the value of each of these fields that filters nothing. */
const clearedFields = <Values>(
  { fields }: { fields: { [Name in keyof Values]: FilterField<Values[Name]> } },
  names: readonly (keyof Values & string)[],
): Partial<Values> => Object.fromEntries(names.map((name) => [name, fields[name].parse("")])) as Partial<Values>;

/** Tells whether the active filters allow a sort. */
function isSortOffered<Values, Sort extends string>(
  definition: Definition<Values, Sort>,
  values: Values,
  sort: Sort,
): boolean {
  const order = Object.values(definition.orders).find((candidate) => directionOf(candidate, sort));
  if (!order || order.suits?.(values) === false) return false;
  const { allowedFilters } = order;
  return !allowedFilters || activeFilters(definition, values).every(({ name }) => allowedFilters.includes(name));
}

/** Reads the filter of an address. A sort that the filters do not allow becomes the default one. */
function parseFilter<Values, Sort extends string>(
  definition: Definition<Values, Sort> & { sorts: readonly Sort[] },
  params: URLSearchParams,
): ListFilter<Values, Sort> {
  const { fields, sorts, defaultSort, normalize } = definition;
  const names = Object.keys(fields) as (keyof Values & string)[];
  const parsed = names.map((name) => [name, fields[name].parse(params.get(fields[name].param ?? name) ?? "")]);
  const parsedValues = Object.fromEntries(parsed) as Values;
  const values = normalize?.(parsedValues) ?? parsedValues;
  const requested = sorts.find((sort) => sort === params.get("sort"));
  const sort = [requested, defaultSort, ...sorts].find((candidate) => {
    return candidate && isSortOffered(definition, values, candidate);
  });
  return { ...values, sort: sort ?? defaultSort };
}

/** Formats a filter as a query string. */
function formatFilter<Values, Sort extends string>(
  definition: Definition<Values, Sort>,
  filter: ListFilter<Values, Sort>,
  extra: ExtraParams = {},
): string {
  const params = new URLSearchParams();
  for (const { param, text } of activeFilters(definition, filter)) params.append(param, text);
  if (filter.sort !== definition.defaultSort) params.append("sort", filter.sort);
  for (const [param, text] of Object.entries(extra)) if (text !== null) params.append(param, text);
  return params.toString();
}

/** Returns the texts of the page links: by time if the list is sorted by one. */
function pageLabelsOf<Sort extends string, Values>(
  orders: Record<string, ListOrder<Sort, Values>>,
  sort: Sort,
): PageLabels {
  const order = Object.values(orders).find((candidate) => directionOf(candidate, sort));
  if (!order?.isTime) return { previous: "Previous", next: "Next" };
  return directionOf(order, sort) === "descending"
    ? { previous: "Newer", next: "Older" }
    : { previous: "Older", next: "Newer" };
}
