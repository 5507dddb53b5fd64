import type { ReactNode } from "react";
import { Filters } from "~/ui/filters";
import { SearchField } from "~/ui/list-fields";
import { SEARCH_MAX } from "../fields";
import { type PageSize, sizeParam } from "../page-size";

type ListFiltersProps = {
  definition: { path: string; defaults: Readonly<Record<string, string>> };
  /** Names the form. */
  label: string;
  /** Says what can be searched. */
  search: string;
  /** Says it in fewer words inside the field, where the bar is full. */
  placeholder?: string;
  filter: { q: string };
  size: PageSize;
  /** Holds the value of each further field in the address, by name; empty where it filters nothing. */
  values?: Readonly<Record<string, string>>;
  /** Holds the further fields. */
  children?: ReactNode;
};

/** Shows the filters of a list, as a GET form: its state is the address. The size of the page stays. */
export function ListFilters(props: ListFiltersProps) {
  const { definition, label, search, placeholder, filter, size, values, children } = props;
  const { q } = filter;
  const sizeOf = sizeParam(size);
  return (
    <Filters
      label={label}
      action={definition.path}
      values={{ q, ...values }}
      defaults={definition.defaults}
      folds={Boolean(children)}
    >
      {sizeOf ? <input type="hidden" name="size" value={sizeOf} /> : null}
      <SearchField label={search} placeholder={placeholder} value={q} max={SEARCH_MAX} />
      {children}
    </Filters>
  );
}
