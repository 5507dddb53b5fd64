import type { ReactNode } from "react";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { ButtonRow } from "~/ui/button-row";
import { ExportLink } from "~/ui/export-links";
import { Link } from "~/ui/link";
import { ListTabs } from "~/ui/list-tabs";
import { STATUS_LABELS } from "../../copy";
import { type ListView, SUBMISSION_STATUSES, type SubmissionStatus, type TabCounts } from "../../model";
import { type SubmissionFilter, submissionList } from "../definition";

type Tab = {
  view: ListView | null;
  status: SubmissionStatus | null;
  label: string;
  counted: keyof TabCounts;
  /** Tells whether another group of tabs begins here. */
  isFirst?: boolean;
};

const TABS: readonly Tab[] = [
  { view: null, status: null, label: "All", counted: "all" },
  ...SUBMISSION_STATUSES.map((status) => ({ view: null, status, label: STATUS_LABELS[status], counted: status })),
  { view: "mine", status: null, label: "Mine", counted: "mine", isFirst: true },
  { view: "follow_up", status: null, label: "To follow up", counted: "follow_up" },
  { view: "held", status: null, label: "Held", counted: "held" },
];

const UNFILTERED = submissionList.readFilter(new URLSearchParams());

type SubmissionTabsProps = {
  filter: SubmissionFilter;
  /** Counts the submissions of each tab; `null`: they could not be read. */
  counts: TabCounts | null;
  /** Holds what stands behind the tabs. */
  children: ReactNode;
};

/** Shows the statuses and the views of the list as tabs, with how many submissions each has. */
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

/** Shows the links for the list as a whole. */
export function ListActions({ filter, mayExport }: { filter: SubmissionFilter; mayExport: boolean }) {
  return (
    <ButtonRow dense className="items-center! print:hidden">
      <Link to={ADMIN_HOME_PATH}>Back to Dashboard</Link>
      {mayExport ? (
        <ExportLink to={submissionList.exportPath(new URLSearchParams(submissionList.query(filter)))} />
      ) : null}
    </ButtonRow>
  );
}
