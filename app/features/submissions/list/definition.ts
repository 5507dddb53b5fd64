import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { daysInWords } from "~/lib/time-labels";
import { areDatesReversed } from "~/lists/criteria";
import { choiceField, dayField, defineList, type FilterOf, flagField, searchField } from "~/lists/define-list";
import { DATES_BACKWARDS } from "~/lists/labels";
import { LIST_HEADINGS, OWNER_CHIPS, RECENT_FILTER, SUBMISSION_STATUS_LABELS } from "../labels";
import { LIST_VIEWS, OWNER_FILTERS, SUBMISSION_STATUSES } from "../model";
import { listedSubmissionPath, SUBMISSIONS_PATH } from "../subject";

/** Sorting by name or status is offered for the unfiltered list only. */
export const submissionList = defineList({
  name: "submissions",
  ability: "submission.view",
  path: SUBMISSIONS_PATH,
  csvPath: "/admin/exports/submissions.csv",
  noun: { one: "submission", many: "submissions" },
  fields: {
    view: choiceField(LIST_VIEWS),
    status: choiceField(SUBMISSION_STATUSES),
    /** Filters by owner; the view "mine" has one owner, whatever is chosen here. */
    owner: choiceField(OWNER_FILTERS),
    q: searchField(),
    /** Dates of the form replace it. */
    recent: flagField("filter", "recent"),
    from: dayField(),
    to: dayField(),
  },
  orders: {
    submitted: { ascending: "oldest", descending: "newest", isTime: true },
    name: { ascending: "name", descending: "name_desc", allowedFilters: [] },
    status: { ascending: "status", descending: "status_desc", allowedFilters: [] },
  },
  defaultSort: "newest",
  sortLabels: {
    newest: "Newest first",
    oldest: "Oldest first",
    name: "Name, A to Z",
    name_desc: "Name, Z to A",
    status: "Status, new to resolved",
    status_desc: "Status, resolved to new",
  },
  describe: ({ q, status, owner, recent, from, to }) => [
    { label: status && SUBMISSION_STATUS_LABELS[status], fields: ["status"] },
    { label: owner && OWNER_CHIPS[owner], fields: ["owner"] },
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: recent ? RECENT_FILTER : null, fields: ["recent"] },
    { label: daysInWords({ from, to }), fields: ["from", "to"] },
  ],
  normalize: (filter) => ({
    ...filter,
    owner: filter.view === "mine" ? null : filter.owner,
    recent: filter.recent && !filter.from && !filter.to,
  }),
  noMatchReason: (filter) => (areDatesReversed(filter) ? DATES_BACKWARDS : null),
});

export type SubmissionFilter = FilterOf<typeof submissionList>;

export const recordPath = (id: string, filter: SubmissionFilter, extra: Record<string, string | null> = {}): string =>
  listedSubmissionPath(id, submissionList.query(filter, extra));

export const submissionListHeading = ({ view, status, recent }: SubmissionFilter): string =>
  LIST_HEADINGS[view ?? (recent ? "recent" : (status ?? "all"))];

export const hasDates = ({ recent, from, to }: Pick<SubmissionFilter, "recent" | "from" | "to">): boolean =>
  recent || from !== null || to !== null;

export const listPermissions = (actor: Actor) => ({
  changeStatus: can(actor, "submission.change_status"),
  release: can(actor, "submission.release_held"),
  delete: can(actor, "submission.delete"),
  export: can(actor, "submission.export"),
});
