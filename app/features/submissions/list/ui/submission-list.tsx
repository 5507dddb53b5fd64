import { allMatching, scanStopped } from "~/lists/copy";
import { showing } from "~/lists/match-count";
import type { ListRead } from "~/lists/model";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { BulkBar, SelectionArea } from "~/ui/bulk-bar";
import { Notice } from "~/ui/flash";
import { Pagination } from "~/ui/pagination";
import type { ListedSubmission, ListRefusal, SubmissionCounts } from "../../model";
import { SubmissionStatCards } from "../../ui/submission-stat-cards";
import { type SubmissionFilter, submissionList } from "../definition";
import { BulkActions } from "./bulk-actions";
import { SubmissionFilters } from "./submission-filters";
import { SubmissionTable } from "./submission-table";

type SubmissionListPanelProps = {
  list: ListRead<ListedSubmission> & { counts: SubmissionCounts };
  filter: SubmissionFilter;
  size: PageSize;
  listToken: string;
  path: string;
  /** Tells why a form of the list was refused; `null` if none was. */
  refused: ListRefusal | null;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
  may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean };
};

/** Shows the list with everything around it: figures, filters, rows, bulk actions, links to the neighbouring pages. */
export function SubmissionListPanel(props: SubmissionListPanelProps) {
  const { list, filter, size } = props;
  const { page, counts } = list;
  const labels = submissionList.pageLabels(filter.sort);
  const pathTo = (cursor: Record<string, string>) =>
    submissionList.pathTo(filter, { size: sizeParam(size), ...cursor });
  return (
    <>
      <SubmissionStatCards counts={counts} current={currentCard(filter)} />
      <SubmissionFilters filter={filter} size={size} />
      {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, submissionList.noun, labels)} /> : null}
      <SelectableRows {...props} />
      <Pagination
        previousTo={page.previous && pathTo({ before: page.previous })}
        nextTo={page.next && pathTo({ after: page.next })}
        labels={labels}
      />
    </>
  );
}

/** Returns the figure whose link leads to this list; null if the list is filtered by more than a status. */
function currentCard({ view, q, from, to, recent, status }: SubmissionFilter) {
  return view || q || from || to || recent ? null : (status ?? "all");
}

/** Shows the rows, and the bulk bar under them. */
function SelectableRows({ list, filter, size, listToken, path, refused, resetKey, may }: SubmissionListPanelProps) {
  const { page, total, zone, readAt } = list;
  const isHeld = filter.view === "held";
  const mayHere = { ...may, changeStatus: may.changeStatus && !isHeld, release: may.release && isHeld };
  return (
    <SelectionArea>
      <div role="alert">{refused ? <Notice kind="error" className="mb-3" message={refused.refusal} /> : null}</div>
      <SubmissionTable
        rows={page.rows}
        caption={showing(page.rows.length, total, submissionList.noun)}
        zone={zone}
        sortOf={(column) => submissionList.sortLink(filter, column, { size: sizeParam(size) })}
        clearTo={submissionList.isFiltered(filter) ? submissionList.path : null}
        reason={submissionList.noMatchReason?.(filter) ?? null}
        statusToken={mayHere.changeStatus ? listToken : null}
        releaseToken={mayHere.release ? listToken : null}
        selected={refused?.rows ?? []}
        path={path}
        resetKey={resetKey}
      />
      {page.rows.length > 0 ? (
        <BulkBar
          key={resetKey}
          label="Selected submissions"
          action={path}
          token={listToken}
          query={submissionList.query(filter)}
          path={path}
          readAt={readAt}
          all={allMatching(total)}
        >
          <BulkActions may={mayHere} />
        </BulkBar>
      ) : null}
    </SelectionArea>
  );
}
