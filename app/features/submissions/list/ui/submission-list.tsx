import { allMatching, NO_MATCH, scanStopped } from "~/lists/copy";
import { showingText } from "~/lists/match-count";
import type { ListRead } from "~/lists/model";
import { type PageSize, sizeLinks, sizeParam } from "~/lists/page-size";
import { BulkBar, SelectionArea } from "~/ui/bulk-bar";
import { ListSummary } from "~/ui/filter-chips";
import { Notice } from "~/ui/flash";
import { Form } from "~/ui/form";
import { Link } from "~/ui/link";
import { ListFoot } from "~/ui/list-foot";
import { NoRows } from "~/ui/no-rows";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND } from "../../copy";
import type { ListedSubmission, ListRejection, TabCounts } from "../../model";
import { type SubmissionFilter, submissionList } from "../definition";
import { BulkActions } from "./bulk-actions";
import { SubmissionFilters } from "./submission-filters";
import { ROWS_FORM, SubmissionTable } from "./submission-table";

type SubmissionListPanelProps = {
  list: ListRead<ListedSubmission> & { counts: TabCounts };
  filter: SubmissionFilter;
  size: PageSize;
  listToken: string;
  path: string;
  /** Tells why a form of the list was rejected; `null` if none was. */
  rejected: ListRejection | null;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
  may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean };
};

const CAPTION = "rows-caption";

/** Shows the list with everything around it: filters, rows, bulk actions, links to the neighbouring pages. */
export function SubmissionListPanel(props: SubmissionListPanelProps) {
  const { list, filter, size } = props;
  const { page, total } = list;
  const labels = submissionList.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const caption = showingText(page.rows.length, total, submissionList.noun);
  const chips = submissionList.chips(filter, sized);
  const clearTo = submissionList.isFiltered(filter) ? submissionList.pathTo(UNFILTERED, sized) : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <SubmissionFilters filter={filter} size={size} />
      <ListSummary
        id={CAPTION}
        caption={caption}
        isResult={page.rows.length > 0}
        chips={chips}
        clearTo={submissionList.pathTo({ ...UNFILTERED, view: filter.view }, sized)}
      >
        {clearTo ? (
          <Link className="ml-auto" to={clearTo}>
            See All Submissions
          </Link>
        ) : null}
      </ListSummary>
      {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, submissionList.noun, labels)} /> : null}
      {page.rows.length > 0 ? (
        <SelectableRows {...props} />
      ) : (
        <NoRows
          empty={{ title: NONE_FOUND, body: "They arrive from the contact form." }}
          noMatch={{ title: NONE_FOUND, body: submissionList.noMatchReason?.(filter) ?? NO_MATCH }}
          chips={chips}
          clearTo={clearTo}
        />
      )}
      <ListFoot
        caption={caption}
        sizes={sizeLinks(size, (param) => submissionList.pathTo(filter, { size: param }))}
        previousTo={page.previous && submissionList.pathTo(filter, { ...sized, before: page.previous })}
        nextTo={page.next && submissionList.pathTo(filter, { ...sized, after: page.next })}
        labels={labels}
      />
    </div>
  );
}

const UNFILTERED = submissionList.readFilter(new URLSearchParams());

/** Shows the rows, and the bulk bar under them. */
function SelectableRows({ list, filter, size, listToken, path, rejected, resetKey, may }: SubmissionListPanelProps) {
  const { page, total, zone, readAt } = list;
  const isHeld = filter.view === "held";
  const mayHere = { ...may, changeStatus: may.changeStatus && !isHeld, release: may.release && isHeld };
  const row = useSentRow({ path, form: ROWS_FORM });
  const offer = mayHere.changeStatus ? "status" : mayHere.release ? "release" : null;
  return (
    <SelectionArea labelledBy={CAPTION}>
      <p className="sr-only" role="status">
        {row.saved ? "Saved" : null}
      </p>
      <SubmissionTable
        rows={page.rows}
        labelledBy={CAPTION}
        query={submissionList.query(filter)}
        zone={zone}
        sortOf={(column) => submissionList.sortLink(filter, column, { size: sizeParam(size) })}
        offer={offer}
        selected={rejected?.rows ?? []}
        sending={row.sending}
        saved={row.saved}
        resetKey={resetKey}
      />
      <div className="list-dock">
        <div role="alert">{rejected ? <Notice kind="error" message={rejected.rejection} /> : null}</div>
        {offer ? (
          <Form
            id={ROWS_FORM}
            name={ROWS_FORM}
            action={path}
            token={listToken}
            staysFilled={offer === "status"}
            onSubmit={row.remember}
          >
            <input type="hidden" name="intent" value={offer} />
            <input type="hidden" name="return_to" value={path} />
            {offer === "status" ? <input type="hidden" name="answer" value="beside" /> : null}
          </Form>
        ) : null}
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
      </div>
    </SelectionArea>
  );
}
