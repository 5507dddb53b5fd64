import type { ReactNode } from "react";
import type { ListRead, LoadedList, PageSize } from "~/lists/model";
import { ListFilters, ListPage, ListTable, type ShownRows } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { SortField } from "~/ui/list-fields";
import type { RowColumn } from "~/ui/row-table";
import { LinkTabs } from "~/ui/tabs";
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

type LoadedLetters<Filter> = LoadedList<Filter, ListRead<ListedLetter>>;

const TABS = [
  { status: null, label: "Drafts" },
  { status: "released", label: "Released" },
] as const;

function LetterFilters({ filter, size }: { filter: LetterFilter; size: PageSize }) {
  return (
    <ListFilters definition={letterList} label="Letters" search="Search organization" filter={filter} size={size}>
      {filter.status === null ? null : <input type="hidden" name="status" value={filter.status} />}
      <SortField options={letterList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

const UNFILTERED = letterList.readFilter(new URLSearchParams());

export function LetterListPage({ loaded }: { loaded: LoadedLetters<LetterFilter> }) {
  const { filter, size } = loaded;
  const { status } = filter;
  return (
    <ListPage
      loaded={loaded}
      title="Letters"
      actions={<ExportLink to={letterList.exportPathTo(filter)} />}
      above={
        <>
          <p className="text-ink-2">How a month went, for each organization with a plan.</p>
          <LinkTabs
            label="Letters"
            items={TABS.map((tab) => ({
              label: tab.label,
              to: letterList.pathTo({ ...filter, status: tab.status }),
              current: tab.status === status,
            }))}
          />
        </>
      }
      // Tabs are no filters that somebody could clear.
      definition={{ ...letterList, isFiltered: ({ q }) => q !== "", readFilter: () => ({ ...UNFILTERED, status }) }}
      filters={<LetterFilters filter={filter} size={size} />}
      noMatch={{ title: NO_LETTER_FOUND }}
      empty={{ title: status === null ? NO_DRAFTS : NONE_RELEASED, body: NO_DRAFTS_HINT }}
    >
      {(list) => (
        <ListTable
          {...{ list, filter, size }}
          definition={letterList}
          columns={columns(({ id, organization, title }) => <a href={letterPath(id)}>{`${organization}, ${title}`}</a>)}
        />
      )}
    </ListPage>
  );
}

export function OwnLetterListPage({ loaded }: { loaded: LoadedLetters<OwnLetterFilter> }) {
  const { filter, size } = loaded;
  return (
    <ListPage
      definition={ownLetterList}
      loaded={loaded}
      title="Letters"
      actions={<ExportLink to={ownLetterList.exportPathTo(filter)} />}
      filters={null}
      empty={{ title: NO_OWN_LETTERS, body: NO_OWN_LETTERS_HINT }}
    >
      {(list) => (
        <ListTable
          {...{ list, filter, size }}
          definition={ownLetterList}
          columns={columns(({ id, title }) => <a href={clientLetterPath(id)}>{title}</a>)}
        />
      )}
    </ListPage>
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
