import { dayIn } from "~/lib/time";
import { DATES_BACKWARDS } from "~/lists/copy";
import { defineList, type FilterOf } from "~/lists/define-list";
import { choiceField, dayField, flagField, searchField } from "~/lists/fields";
import { commonScope, isBackwards, type ListReader, type ListScope, lastDays } from "~/lists/scope";
import { LIST_HEADINGS } from "../copy";
import { LIST_VIEWS, SUBMISSION_STATUSES, type SubmissionStatus } from "../model";

const RECENT_DAYS = 7;

/** Defines the list of submissions as its address says it. By name and by status only the whole list is ordered. */
export const submissionList = defineList({
  name: "submissions",
  path: "/admin/submissions",
  noun: { one: "submission", many: "submissions" },
  fields: {
    view: choiceField(LIST_VIEWS),
    status: choiceField(SUBMISSION_STATUSES),
    q: searchField(),
    /** The last seven days; dates chosen by hand replace it. */
    recent: flagField("filter", "recent"),
    from: dayField(),
    to: dayField(),
  },
  orders: {
    submitted: { ascending: "oldest", descending: "newest", isTime: true },
    name: { ascending: "name", descending: "name_desc", within: [] },
    status: { ascending: "status", descending: "status_desc", within: [] },
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
  settle: (filter) => ({ ...filter, recent: filter.recent && !filter.from && !filter.to }),
  impossible: (filter) => (isBackwards(filter) ? DATES_BACKWARDS : null),
});

export type SubmissionFilter = FilterOf<typeof submissionList>;

/** Returns what the list is called, by the first thing that narrows it. */
export const listHeading = ({ view, status, recent }: SubmissionFilter): string =>
  LIST_HEADINGS[view ?? (recent ? "recent" : (status ?? "all"))];

export const hasDates = ({ recent, from, to }: Pick<SubmissionFilter, "recent" | "from" | "to">): boolean =>
  recent || from !== null || to !== null;

/** Holds what the rows have in common, in the terms of the database. */
export type SubmissionScope = ListScope<SubmissionFilter["sort"]> & {
  held?: boolean;
  status?: SubmissionStatus | null;
  ownerId?: string;
  /** Still open and to be taken up again on this day or earlier. */
  followUpBy?: string;
};

/** Turns what the address says into what the database is asked, for one reader at one moment. */
export function scopeOf(filter: SubmissionFilter, reader: ListReader): SubmissionScope {
  const days = filter.recent ? lastDays(RECENT_DAYS, reader) : {};
  return {
    ...commonScope({ ...filter, ...days }, reader),
    held: filter.view === "held",
    status: filter.status,
    ...(filter.view === "mine" ? { ownerId: reader.userId } : {}),
    ...(filter.view === "follow_up" ? { followUpBy: dayIn(reader.zone, reader.now) } : {}),
  };
}
