import type { PageSize } from "~/lib/paging";
import type { Instant } from "~/lib/time";
import { Notice } from "~/ui/flash";
import { Pagination } from "~/ui/pagination";
import { DATES_BACKWARDS, lookedThrough, PAGE_LABELS } from "../../copy";
import { countInWords, type MatchCount, type SubmissionCounts } from "../../model";
import { SubmissionStatCards } from "../../ui/submission-stat-cards";
import { isBackwards, isNarrowed, type ListFilter, listPath, listQuery } from "../list-filter";
import { columnSort } from "../list-order";
import { BulkBar } from "./bulk-bar";
import { SubmissionFilters } from "./submission-filters";
import { type ListedSubmission, SubmissionTable } from "./submission-table";

type SubmissionDeskProps = {
  list: {
    page: { rows: ListedSubmission[]; newer: string | null; older: string | null; lookedAt: number | null };
    counts: SubmissionCounts;
    total: MatchCount;
    zone: string;
    drawnAt: Instant;
  };
  filter: ListFilter;
  size: PageSize;
  listToken: string;
  path: string;
  /** Changes with every navigation, and clears what was picked. */
  drawing: string;
  may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean };
};

/** The list with everything around it: figures, filters, rows, what can be done with them, the way to further rows. */
export function SubmissionListPanel({ list, filter, size, listToken, path, drawing, may }: SubmissionDeskProps) {
  const { page, counts, total, zone, drawnAt } = list;
  const sized = size === 25 ? null : String(size);
  const to = (extra: Record<string, string | null>) => listPath(filter, { size: sized, ...extra });
  const isPlain = !filter.view && !filter.q && !filter.from && !filter.to && !filter.recent;
  const held = filter.view === "held";
  return (
    <>
      <SubmissionStatCards counts={counts} current={isPlain ? (filter.status ?? "all") : null} />
      <SubmissionFilters filter={filter} size={size} />
      {page.lookedAt ? <Notice kind="info" message={lookedThrough(page.lookedAt, filter)} /> : null}
      <div className="group/picking [counter-reset:picked] [&_tbody_[type=checkbox]:checked]:[counter-increment:picked]">
        <SubmissionTable
          rows={page.rows}
          caption={`Showing ${page.rows.length.toLocaleString("en-US")} of ${countInWords(total)} submissions`}
          zone={zone}
          sortOf={(column) => columnSort(filter, column, { size: sized })}
          clearTo={isNarrowed(filter) ? "/admin/submissions" : null}
          reason={isBackwards(filter) ? DATES_BACKWARDS : null}
          statusToken={may.changeStatus && !held ? listToken : null}
          releaseToken={may.release && held ? listToken : null}
          path={path}
          drawing={drawing}
        />
        {page.rows.length > 0 ? (
          <BulkBar
            key={drawing}
            token={listToken}
            total={total}
            query={listQuery(filter)}
            path={path}
            drawnAt={drawnAt}
            may={{ ...may, changeStatus: may.changeStatus && !held, release: may.release && held }}
          />
        ) : null}
      </div>
      <Pagination
        newerTo={page.newer && to({ before: page.newer })}
        olderTo={page.older && to({ after: page.older })}
        labels={PAGE_LABELS[filter.sort]}
      />
    </>
  );
}
