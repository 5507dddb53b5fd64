import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { mailtoHref } from "~/lib/email";
import type { ListRejection } from "~/lib/form";
import { initialsOf } from "~/lib/text";
import { allMatching } from "~/lists/labels";
import { type ListRead, type LoadedList, type PageSize, ROWS_CAPTION, sizeParam } from "~/lists/model";
import {
  ListFilters,
  ListPage,
  ListTable,
  type ListTableProps,
  RowsForm,
  SavedStatus,
  type ShownRows,
} from "~/lists/ui/list-page";
import { BulkBar, SelectionArea, selectionColumn } from "~/ui/bulk-bar";
import { Button, ButtonRow } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";
import { Select, type SentRow, usePostedResult, useSentRow } from "~/ui/form";
import { Link } from "~/ui/link";
import { ChoiceField, DatesField, SortField } from "~/ui/list-fields";
import { ListTabs } from "~/ui/list-tabs";
import { Notice } from "~/ui/page";
import { choiceOfRows } from "~/ui/row-choice";
import type { RowColumn } from "~/ui/row-table";
import { EmailText, formatInstant } from "~/ui/text";
import { NO_SUBMISSIONS_FOUND, RECENT_FILTER, SUBMISSION_STATUS_LABELS, SUBMISSION_STATUS_OPTIONS } from "../labels";
import {
  type ListedSubmission,
  type ListView,
  SUBMISSION_STATUSES,
  type SubmissionStatus,
  type TabCounts,
} from "../model";
import { listedSubmissionPath } from "../subject";
import { hasDates, type SubmissionFilter, submissionList, submissionListHeading } from "./definition";

const TABS: readonly {
  view: ListView | null;
  status: SubmissionStatus | null;
  label: string;
  counted: keyof TabCounts;
  isFirst?: boolean;
}[] = [
  { view: null, status: null, label: "All", counted: "all" },
  ...SUBMISSION_STATUSES.map((status) => ({
    view: null,
    status,
    label: SUBMISSION_STATUS_LABELS[status],
    counted: status,
  })),
  { view: "mine", status: null, label: "Mine", counted: "mine", isFirst: true },
  { view: "follow_up", status: null, label: "To follow up", counted: "follow_up" },
  { view: "held", status: null, label: "Held", counted: "held" },
];

const UNFILTERED = submissionList.readFilter(new URLSearchParams());

type SubmissionTabsProps = {
  filter: SubmissionFilter;
  /** `null`: they could not be read. */
  counts: TabCounts | null;
  children: ReactNode;
};

export function SubmissionTabs({ filter, counts, children }: SubmissionTabsProps) {
  return (
    <ListTabs
      label="Lists of submissions"
      items={TABS.map(({ view, status, label, counted, isFirst }) => ({
        to: submissionList.pathTo({ ...UNFILTERED, view, status }),
        label,
        count: counts?.[counted],
        current: filter.view === view && (view ? true : filter.status === status),
        isFirst,
      }))}
    >
      {children}
    </ListTabs>
  );
}

type SubmissionsRead = ListRead<ListedSubmission> & { counts: TabCounts };

type LoadedSubmissions = LoadedList<SubmissionFilter, SubmissionsRead> & {
  listToken: string;
  may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean };
};

export function SubmissionListPage({ loaded, above }: { loaded: LoadedSubmissions; above: ReactNode }) {
  const { filter, size, may } = loaded;
  const rejected = usePostedResult<ListRejection>() ?? null;
  const actions = (
    <ButtonRow dense className="items-center! print:hidden">
      <Link to={ADMIN_HOME_PATH}>Back to Dashboard</Link>
      {may.export ? <ExportLink to={submissionList.exportPathTo(filter)} /> : null}
    </ButtonRow>
  );
  const seeAll = filter.recent ? (
    <Link className="ml-auto" to={submissionList.pathTo(UNFILTERED, { size: sizeParam(size) })}>
      See All Submissions
    </Link>
  ) : null;
  return (
    <ListPage
      definition={submissionList}
      loaded={loaded}
      title={submissionListHeading(filter)}
      actions={actions}
      above={above}
      filters={<SubmissionFilters filter={filter} size={size} />}
      kept={{ view: filter.view }}
      links={seeAll}
      empty={{ title: NO_SUBMISSIONS_FOUND, body: "They arrive from the contact form." }}
    >
      {(list, path) => <SelectableRows {...loaded} list={list} path={path} rejected={rejected} />}
    </ListPage>
  );
}

type RowsProps = LoadedSubmissions & { list: SubmissionsRead; path: string; rejected: ListRejection | null };

function SelectableRows({ list, filter, size, listToken, path, rejected, may }: RowsProps) {
  // Changes with every navigation, and clears the selection.
  const { key: resetKey } = useLocation();
  const { total, readAt } = list;
  const isInModeration = filter.view === "held";
  const mayHere = { ...may, changeStatus: may.changeStatus && !isInModeration, release: may.release && isInModeration };
  const statuses = useSentRow({ path, form: ROWS_FORM });
  const offer = mayHere.changeStatus ? "status" : mayHere.release ? "release" : null;
  return (
    <SelectionArea labelledBy={ROWS_CAPTION}>
      <SavedStatus sent={[statuses]} />
      <SubmissionTable {...{ list, filter, size, resetKey, offer, statuses }} selected={rejected?.rows ?? []} />
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

const ANY_STATUS = [{ value: "", label: "Any status" }, ...SUBMISSION_STATUS_OPTIONS];
const ANY_OWNER = [
  { value: "", label: "Any owner" },
  { value: "me", label: "Me" },
  { value: "none", label: "No owner" },
];

function SubmissionFilters({ filter, size }: { filter: SubmissionFilter; size: PageSize }) {
  return (
    <ListFilters
      definition={submissionList}
      label="Submissions"
      search="Search name, email or company"
      filter={filter}
      size={size}
    >
      {filter.view ? <input type="hidden" name="view" value={filter.view} /> : null}
      {filter.recent ? <input type="hidden" name="filter" value="recent" /> : null}
      <ChoiceField name="status" id="filter-status" label="Status" options={ANY_STATUS} value={filter.status} />
      {filter.view === "mine" ? null : (
        <ChoiceField name="owner" label="Owner" options={ANY_OWNER} value={filter.owner} />
      )}
      <SortField options={submissionList.sortOptions(filter)} value={filter.sort} />
      <DatesField
        key={`${filter.from} ${filter.to} ${filter.recent}`}
        from={filter.from}
        to={filter.to}
        isOn={hasDates(filter)}
        hint={filter.recent ? `${RECENT_FILTER}. Dates chosen here take their place.` : undefined}
        error={submissionList.noMatchReason?.(filter) ?? null}
        clearTo={submissionList.pathTo({ ...filter, recent: false, from: null, to: null }, { size: sizeParam(size) })}
      />
    </ListFilters>
  );
}

const CHOICES = [{ value: "", label: "Set status to…" }, ...SUBMISSION_STATUS_OPTIONS];

function BulkActions({ may }: { may: { changeStatus: boolean; release: boolean; delete: boolean; export: boolean } }) {
  return (
    <>
      {may.changeStatus ? (
        <>
          <Select variant="bar" name="status" aria-label="Set status" options={CHOICES} defaultValue="" />
          <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-status">
            Update
          </Button>
        </>
      ) : null}
      {may.release ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-release">
          Not spam
        </Button>
      ) : null}
      {may.export ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="export">
          Export selected
        </Button>
      ) : null}
      {may.delete ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="choose">
          Delete…
        </Button>
      ) : null}
    </>
  );
}

const ROWS_FORM = "rows";

type RowOptions = {
  offer: "status" | "release" | null;
  selected: readonly string[];
  statuses: SentRow;
};

function SubmissionTable(props: ListTableProps<ListedSubmission, SubmissionFilter> & RowOptions) {
  return (
    <ListTable
      {...props}
      definition={submissionList}
      layout="rows-of-submissions"
      columns={(shown) => columns(shown, props)}
    />
  );
}

const columns = (
  { rows, zone, query, sortOf }: ShownRows<ListedSubmission, "submitted" | "name" | "status">,
  { offer, selected, statuses }: RowOptions,
): RowColumn<ListedSubmission>[] => [
  selectionColumn(({ name }) => name, selected),
  {
    label: "Name",
    width: "w-[14.5%]",
    header: true,
    sort: sortOf("name"),
    cell: ({ id, name, number }) => (
      <>
        <a href={listedSubmissionPath(id, query)}>{name}</a>
        <small data-number="">{number}</small>
      </>
    ),
  },
  {
    label: "Email",
    cell: ({ email, snippet }) => (
      <>
        <a href={mailtoHref(email)}>
          <EmailText email={email} />
        </a>
        {snippet ? <small data-excerpt="">{snippet}</small> : null}
      </>
    ),
  },
  { label: "Company", width: "w-[9.5%] @min-[69rem]:w-[12%]", cell: ({ company }) => company ?? "—" },
  { label: "Phone", width: "w-[6.75rem]", cell: ({ phone }) => phone ?? "—" },
  {
    label: "Status",
    width: "w-[12.6rem]",
    sort: sortOf("status"),
    cell:
      offer === "status"
        ? choiceOfRows(rows, statuses, {
            form: ROWS_FORM,
            name: "status",
            label: "Status",
            of: ({ name }) => name,
            value: ({ status }) => status,
            options: () => SUBMISSION_STATUS_OPTIONS,
          })
        : (row) => (offer === "release" ? <NotSpam row={row} /> : SUBMISSION_STATUS_LABELS[row.status]),
  },
  {
    label: "Submitted",
    width: "w-[8.8rem]",
    sort: sortOf("submitted"),
    cell: ({ submittedAt, due }) => (
      <>
        <time dateTime={new Date(submittedAt).toISOString()}>{formatInstant(submittedAt, zone, "short")}</time>
        {due ? <small data-late={due.isLate ? "" : undefined}>{due.words}</small> : null}
      </>
    ),
  },
  {
    label: "Actions",
    width: "w-[5.4rem]",
    controls: true,
    cell: ({ id, name, owner }) => (
      <>
        <span role="img" title={owner ? `Owner: ${owner}` : "No owner"}>
          {owner ? initialsOf(owner) : null}
        </span>
        <a href={listedSubmissionPath(id, query)} aria-label={`View ${name}`}>
          View
        </a>
      </>
    ),
  },
];

function NotSpam({ row: { id, name } }: { row: ListedSubmission }) {
  return (
    <button type="submit" form={ROWS_FORM} name="id" value={id} aria-label={`Not spam: ${name}`}>
      Not spam
    </button>
  );
}
