import type { Instant } from "~/lib/time";
import { allMatching, scanStopped } from "~/lists/copy";
import { type MatchCount, showing } from "~/lists/match-count";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { BulkBar, SelectionArea } from "~/ui/bulk-bar";
import { Notice } from "~/ui/flash";
import { Pagination } from "~/ui/pagination";
import type { ListedSubmission, SubmissionCounts } from "../../model";
import { SubmissionStatCards } from "../../ui/submission-stat-cards";
import { type SubmissionFilter, submissionList } from "../definition";
import { BulkActions } from "./bulk-actions";
import { SubmissionFilters } from "./submission-filters";
import { SubmissionTable } from "./submission-table";

type SubmissionListPanelProps = {
  list: {
    page: { rows: ListedSubmission[]; previous: string | null; next: string | null; scanned: number | null };
    counts: SubmissionCounts;
    total: MatchCount;
    zone: string;
    drawnAt: Instant;
  };
  filter: SubmissionFilter;
  size: PageSize;
  listToken: string;
  path: string;
  /** Changes with every navigation, and clears what was selected. */
  drawing: string;
  may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean };
};

/**
 * Shows the list with everything around it: figures, filters, rows, what can be done with them, the links to further
 * pages.
 */
export function SubmissionListPanel({ list, filter, size, listToken, path, drawing, may }: SubmissionListPanelProps) {
  const { page, counts, total, zone, drawnAt } = list;
  const sized = { size: sizeParam(size) };
  const to = (cursor: Record<string, string>) => submissionList.pathTo(filter, { ...sized, ...cursor });
  const labels = submissionList.pageLabels(filter.sort);
  const isPlain = !filter.view && !filter.q && !filter.from && !filter.to && !filter.recent;
  const held = filter.view === "held";
  return (
    <>
      <SubmissionStatCards counts={counts} current={isPlain ? (filter.status ?? "all") : null} />
      <SubmissionFilters filter={filter} size={size} />
      {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, submissionList.noun, labels)} /> : null}
      <SelectionArea>
        <SubmissionTable
          rows={page.rows}
          caption={showing(page.rows.length, total, submissionList.noun)}
          zone={zone}
          sortOf={(column) => submissionList.sortLink(filter, column, sized)}
          clearTo={submissionList.isNarrowed(filter) ? submissionList.path : null}
          reason={submissionList.impossible?.(filter) ?? null}
          statusToken={may.changeStatus && !held ? listToken : null}
          releaseToken={may.release && held ? listToken : null}
          path={path}
          drawing={drawing}
        />
        {page.rows.length > 0 ? (
          <BulkBar
            key={drawing}
            label="Selected submissions"
            action={submissionList.path}
            token={listToken}
            query={submissionList.query(filter)}
            path={path}
            drawnAt={drawnAt}
            all={allMatching(total)}
          >
            <BulkActions may={{ ...may, changeStatus: may.changeStatus && !held, release: may.release && held }} />
          </BulkBar>
        ) : null}
      </SelectionArea>
      <Pagination
        previousTo={page.previous && to({ before: page.previous })}
        nextTo={page.next && to({ after: page.next })}
        labels={labels}
      />
    </>
  );
}
