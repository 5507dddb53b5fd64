import type { PageSize } from "~/lists/model";
import { ListFilters, ListPage, ListTable } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { SortField } from "~/ui/list-fields";
import { LinkTabs } from "~/ui/tabs";
import { NO_DRAFTS, NO_DRAFTS_HINT, NO_LETTER_FOUND, NONE_RELEASED } from "./labels";
import { type LoadedLetters, letterColumns } from "./letter-table";
import { type LetterFilter, letterList } from "./list";
import { letterPath } from "./model";

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
          columns={letterColumns(({ id, organization, title }) => (
            <a href={letterPath(id)}>{`${organization}, ${title}`}</a>
          ))}
        />
      )}
    </ListPage>
  );
}
