import type { ReactNode } from "react";
import type { PageSize } from "~/lists/model";
import { ListFilters, ListPanel, ListTable, type ListTableProps, type ShownRows } from "~/lists/ui/list-page";
import { SortField } from "~/ui/list-fields";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/text";
import {
  NO_DRAFTS,
  NO_DRAFTS_HINT,
  NO_LETTER_FOUND,
  NO_OWN_LETTERS,
  NO_OWN_LETTERS_HINT,
  NONE_RELEASED,
} from "./labels";
import { type LetterFilter, letterList, type OwnLetterFilter, ownLetterList } from "./list";
import { clientLetterPath, type ListedLetter, letterPath } from "./model";

type PanelProps<Filter> = ListTableProps<ListedLetter, Filter>;

export function LetterFilters({ filter, size }: { filter: LetterFilter; size: PageSize }) {
  return (
    <ListFilters definition={letterList} label="Letters" search="Search organization" filter={filter} size={size}>
      {filter.status === null ? null : <input type="hidden" name="status" value={filter.status} />}
      <SortField options={letterList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

const UNFILTERED = letterList.readFilter(new URLSearchParams());

export function LetterPanel(props: PanelProps<LetterFilter>) {
  const { filter, size } = props;
  const { status } = filter;
  return (
    <ListPanel
      {...props}
      // Tabs are no filters that somebody could clear.
      definition={{ ...letterList, isFiltered: ({ q }) => q !== "", readFilter: () => ({ ...UNFILTERED, status }) }}
      filters={<LetterFilters filter={filter} size={size} />}
      noMatch={{ title: NO_LETTER_FOUND }}
      empty={{ title: status === null ? NO_DRAFTS : NONE_RELEASED, body: NO_DRAFTS_HINT }}
    >
      <ListTable
        {...props}
        definition={letterList}
        columns={columns(({ id, organization, title }) => <a href={letterPath(id)}>{`${organization}, ${title}`}</a>)}
      />
    </ListPanel>
  );
}

export function OwnLetterPanel(props: PanelProps<OwnLetterFilter>) {
  return (
    <ListPanel
      {...props}
      definition={ownLetterList}
      filters={null}
      empty={{ title: NO_OWN_LETTERS, body: NO_OWN_LETTERS_HINT }}
    >
      <ListTable
        {...props}
        definition={ownLetterList}
        columns={columns(({ id, title }) => <a href={clientLetterPath(id)}>{title}</a>)}
      />
    </ListPanel>
  );
}

const columns =
  (link: (letter: ListedLetter) => ReactNode) =>
  ({ sortOf, zone }: ShownRows<ListedLetter, "month">): RowColumn<ListedLetter>[] => [
    { label: "Month", header: true, sort: sortOf("month"), cell: link },
    {
      label: "Promises",
      width: "w-[12rem]",
      cell: ({ kept, missed }) => (kept + missed === 0 ? "None given" : `${kept} of ${kept + missed} kept`),
    },
    {
      label: "Released",
      width: "w-[12rem]",
      cell: ({ releasedAt: at }) =>
        at === null ? "Draft" : <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, "date")}</time>,
    },
  ];
