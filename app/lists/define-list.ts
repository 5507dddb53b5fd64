import type { Ability } from "~/access/policy";
import { isId } from "~/lib/ids";
import { isDay } from "~/lib/time";
import { PAGE_SIZES } from "./model";

export type FilterField<Value> = {
  param?: string;
  /** Names the parameter of former addresses, which are still read. */
  formerParam?: string;
  /** If it is absent or malformed, the value is the one that filters nothing. */
  parse: (text: string) => Value;
  format: (value: Value) => string | null;
};

export const SEARCH_MAX = 200;

const CONTROL = /\p{Cc}+/gu;

/** Control characters count as spaces. */
export const searchField = (): FilterField<string> => ({
  parse: (text) => [...text.replace(CONTROL, " ").trim()].slice(0, SEARCH_MAX).join(""),
  format: (text) => text || null,
});

export const choiceField = <Choice extends string>(choices: readonly Choice[]): FilterField<Choice | null> => ({
  parse: (text) => choices.find((choice) => choice === text) ?? null,
  format: (choice) => choice,
});

export const idField = (prefix: string): FilterField<string | null> => ({
  parse: (text) => (isId(prefix, text) ? text : null),
  format: (id) => id,
});

export const flagField = (param: string, value: string): FilterField<boolean> => ({
  param,
  parse: (text) => text === value,
  format: (isOn) => (isOn ? value : null),
});

export const dayField = (): FilterField<string | null> => ({
  parse: (text) => (isDay(text) ? text : null),
  format: (day) => day,
});

/*
 * A list is defined in two files. `definition.ts`, by `defineList`, is the part that browser and server share: address,
 * filters, orders. `definition.server.ts` beside it, by `defineRows`, is the database part: table, conditions, indexes,
 * search, CSV.
 */

type ListInput<Values, Sort extends string, OrderName extends string, Viewing extends Ability> = {
  name: string;
  /** Its scope decides which rows a viewer sees: `visibleTo` in `defineRows`. */
  ability: Viewing;
  path: string;
  csvPath: string;
  noun: { one: string; many: string };
  fields: { [Name in keyof Values]: FilterField<Values[Name]> };
  orders: Record<OrderName, ListOrder<Sort, Values>>;
  defaultSort: Sort;
  sortLabels: Readonly<Record<Sort, string>>;
  describe: (values: Values) => readonly { label: string | null; fields: readonly (keyof Values & string)[] }[];
  /** Clears fields that another field excludes. */
  normalize?: (values: Values) => Values;
  noMatchReason?: (values: Values) => string | null;
};

type ListOrder<Sort extends string, Values> = {
  ascending?: Sort;
  descending?: Sort;
  isTime?: boolean;
  allowedFilters?: readonly (keyof Values)[];
  suits?: (values: Values) => boolean;
};

type ListFilter<Values, Sort extends string> = Values & { sort: Sort };

type ExtraParams = Record<string, string | null>;

type SortLink = { to: string; order: "ascending" | "descending" | "none" };

export type FilterChip = { label: string; to: string };

type PageLabels = { previous: string; next: string };

type List<Values, Sort extends string, OrderName extends string, Viewing extends Ability> = ListInput<
  Values,
  Sort,
  OrderName,
  Viewing
> & {
  sorts: readonly Sort[];
  readFilter: (params: URLSearchParams) => ListFilter<Values, Sort>;
  query: (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => string;
  pathTo: (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => string;
  /** By the names of their fields: "" where nothing is filtered. */
  fieldValues: (filter: ListFilter<Values, Sort>) => Record<string, string>;
  /** The file of all rows of the filter; `exportPath`: of what an address asks for, which may be single rows. */
  exportPathTo: (filter: ListFilter<Values, Sort>) => string;
  exportPath: (params: URLSearchParams) => string;
  isFiltered: (values: Values) => boolean;
  chips: (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => FilterChip[];
  defaults: { sort: Sort; size: string };
  offersSort: (values: Values, sort: Sort) => boolean;
  sortLink: (filter: ListFilter<Values, Sort>, order: OrderName, extra?: ExtraParams) => SortLink | undefined;
  sortOptions: (values: Values) => { value: Sort; label: string }[];
  pageLabels: (sort: Sort) => PageLabels;
};

export type FilterOf<Defined> = Defined extends { readFilter: (params: URLSearchParams) => infer Filter }
  ? Filter
  : never;

export function defineList<Values, Sort extends string, OrderName extends string, Viewing extends Ability>(
  input: ListInput<Values, Sort, OrderName, Viewing>,
): List<Values, Sort, OrderName, Viewing> {
  const { path, csvPath } = input;
  const sorts = Object.values<ListOrder<Sort, Values>>(input.orders).flatMap(sortsOf);
  const offersSort = (values: Values, sort: Sort) => isSortOffered(input, values, sort);
  const readFilter = (params: URLSearchParams) => parseFilter({ ...input, sorts }, params);
  const query = (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => formatFilter(input, filter, extra);
  const pathTo = (filter: ListFilter<Values, Sort>, extra?: ExtraParams) => withQuery(path, query(filter, extra));
  const exportPathTo = (filter: ListFilter<Values, Sort>) => withQuery(csvPath, query(filter));
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
    fieldValues: (filter) => ({
      ...Object.fromEntries(fieldTexts(input, filter).map(({ param, text }) => [param, text ?? ""])),
      sort: filter.sort,
    }),
    exportPathTo,
    exportPath: (params) => {
      const ids = params.get("ids");
      return ids === null ? exportPathTo(readFilter(params)) : `${csvPath}?${new URLSearchParams({ ids })}`;
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

type Definition<Values, Sort extends string> = ListInput<Values, Sort, string, Ability>;

const withQuery = (path: string, query: string) => (query ? `${path}?${query}` : path);

function sortsOf<Sort extends string, Values>({ ascending, descending, isTime }: ListOrder<Sort, Values>): Sort[] {
  const sorts = isTime ? [descending, ascending] : [ascending, descending];
  return sorts.filter((sort) => sort !== undefined);
}

function directionOf<Sort extends string, Values>({ ascending, descending }: ListOrder<Sort, Values>, sort: Sort) {
  if (sort === ascending) return "ascending";
  return sort === descending ? "descending" : undefined;
}

function fieldTexts<Values, Sort extends string>({ fields }: Definition<Values, Sort>, values: Values) {
  const names = Object.keys(fields) as (keyof Values & string)[];
  return names.map((name) => ({ name, param: fields[name].param ?? name, text: fields[name].format(values[name]) }));
}

const activeFilters = <Values, Sort extends string>(definition: Definition<Values, Sort>, values: Values) =>
  fieldTexts(definition, values).flatMap(({ text, ...field }) => (text === null ? [] : { ...field, text }));

const clearedFields = <Values>(
  { fields }: { fields: { [Name in keyof Values]: FilterField<Values[Name]> } },
  names: readonly (keyof Values & string)[],
): Partial<Values> => Object.fromEntries(names.map((name) => [name, fields[name].parse("")])) as Partial<Values>;

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

function parseFilter<Values, Sort extends string>(
  definition: Definition<Values, Sort> & { sorts: readonly Sort[] },
  params: URLSearchParams,
): ListFilter<Values, Sort> {
  const { fields, sorts, defaultSort, normalize } = definition;
  const names = Object.keys(fields) as (keyof Values & string)[];
  const textOf = ({ param, formerParam }: { param?: string; formerParam?: string }, name: string) =>
    params.get(param ?? name) ?? (formerParam ? params.get(formerParam) : null) ?? "";
  const parsed = names.map((name) => [name, fields[name].parse(textOf(fields[name], name))]);
  const parsedValues = Object.fromEntries(parsed) as Values;
  const values = normalize?.(parsedValues) ?? parsedValues;
  const requested = sorts.find((sort) => sort === params.get("sort"));
  const sort = [requested, defaultSort, ...sorts].find((candidate) => {
    return candidate && isSortOffered(definition, values, candidate);
  });
  return { ...values, sort: sort ?? defaultSort };
}

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
