import type { ListRejection } from "~/lib/form";
import { allMatching } from "~/lists/copy";
import { ROWS_CAPTION } from "~/lists/match-count";
import type { ListRead } from "~/lists/model";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { ListPanel } from "~/lists/ui/list-panel";
import { RowsForm, SavedStatus } from "~/lists/ui/rows-form";
import { BulkBar, SelectionArea } from "~/ui/bulk-bar";
import { Notice } from "~/ui/flash";
import { Link } from "~/ui/link";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND } from "../../copy";
import type { ListedSubmission, TabCounts } from "../../model";
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

/** Shows the list with everything around it: filters, rows, bulk actions, links to the neighbouring pages. */
export function SubmissionListPanel(props: SubmissionListPanelProps) {
  const { filter, size } = props;
  const seeAll = submissionList.isFiltered(filter) ? (
    <Link className="ml-auto" to={submissionList.pathTo(UNFILTERED, { size: sizeParam(size) })}>
      See All Submissions
    </Link>
  ) : null;
  return (
    <ListPanel
      {...props}
      definition={submissionList}
      filters={<SubmissionFilters filter={filter} size={size} />}
      kept={{ view: filter.view }}
      links={seeAll}
      empty={{ title: NONE_FOUND, body: "They arrive from the contact form." }}
    >
      <SelectableRows {...props} />
    </ListPanel>
  );
}

const UNFILTERED = submissionList.readFilter(new URLSearchParams());

/** Shows the rows, and the bulk bar under them. */
function SelectableRows(props: SubmissionListPanelProps) {
  const { list, filter, listToken, path, rejected, resetKey, may } = props;
  const { total, readAt } = list;
  const isHeld = filter.view === "held";
  const mayHere = { ...may, changeStatus: may.changeStatus && !isHeld, release: may.release && isHeld };
  const statuses = useSentRow({ path, form: ROWS_FORM });
  const offer = mayHere.changeStatus ? "status" : mayHere.release ? "release" : null;
  return (
    <SelectionArea labelledBy={ROWS_CAPTION}>
      <SavedStatus sent={[statuses]} />
      <SubmissionTable {...props} offer={offer} selected={rejected?.rows ?? []} statuses={statuses} />
      <div className="list-dock">
        <div role="alert">{rejected ? <Notice kind="error" message={rejected.rejection} /> : null}</div>
        {offer ? (
          <RowsForm
            name={ROWS_FORM}
            intent={offer}
            path={path}
            token={listToken}
            sent={offer === "status" ? statuses : undefined}
          />
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
