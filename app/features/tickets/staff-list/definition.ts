import { isId } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import { areDatesReversed } from "~/lists/criteria";
import {
  choiceField,
  dayField,
  defineList,
  type FilterField,
  type FilterOf,
  idField,
  searchField,
} from "~/lists/define-list";
import { DATES_BACKWARDS } from "~/lists/labels";
import { PRIORITY_LABELS } from "../labels";
import { isActive, TICKET_PRIORITIES, TICKET_STATUSES, type TicketPriority, type TicketStatus } from "../model";
import { STAFF_TICKETS_PATH } from "../paths";
import {
  ASSIGNEE_CHIPS,
  assignedTo,
  DUE_LABELS,
  type FOUND_IN,
  NOTHING_DUE,
  ONE_ORGANIZATION,
  ONE_PERSON,
  openedInWords,
  STATUS_FILTER_LABELS,
} from "./labels";

export const STATUS_FILTERS = ["active", ...TICKET_STATUSES] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const DUE_FILTERS = ["late", "today"] as const;

const assigneeField = (): FilterField<string | null> => ({
  parse: (text) => (text === "me" || text === "none" || isId("usr", text) ? text : null),
  format: (assignee) => assignee,
});

/** Tells whether a filter leaves only tickets that are resolved or closed, of which nothing is due. */
const isOver = (status: StatusFilter | null): status is TicketStatus =>
  status !== null && status !== "active" && !isActive(status);

/** Table, indexes and search are in `definition.server.ts`. */
export const ticketList = defineList({
  name: "tickets",
  ability: "ticket.view",
  path: STAFF_TICKETS_PATH,
  csvPath: "/admin/exports/tickets.csv",
  noun: { one: "ticket", many: "tickets" },
  fields: {
    q: searchField(),
    organization: idField("org"),
    status: choiceField(STATUS_FILTERS),
    priority: choiceField(TICKET_PRIORITIES),
    assignee: assigneeField(),
    due: choiceField(DUE_FILTERS),
    from: dayField(),
    to: dayField(),
  },
  orders: {
    // What is due is read in the order in which it is due; what a search finds has the order of its index.
    created: {
      ascending: "oldest",
      descending: "newest",
      isTime: true,
      suits: ({ q, due }) => due === null || q !== "",
    },
    due: {
      ascending: "due",
      suits: ({ q, status, due, from, to }) => q === "" && !isOver(status) && (due !== null || (from ?? to) === null),
    },
  },
  // Whoever opens the list looks for what to do next.
  defaultSort: "due",
  sortLabels: { newest: "Newest first", oldest: "Oldest first", due: "Next due" },
  describe: ({ q, organization, status, priority, assignee, due, from, to }) => [
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: organization && ONE_ORGANIZATION, fields: ["organization"] },
    { label: status && STATUS_FILTER_LABELS[status], fields: ["status"] },
    { label: priority && PRIORITY_LABELS[priority], fields: ["priority"] },
    { label: assignee && (ASSIGNEE_CHIPS[assignee] ?? assignedTo(ONE_PERSON)), fields: ["assignee"] },
    { label: due && DUE_LABELS[due], fields: ["due"] },
    { label: openedInWords({ from, to }), fields: ["from", "to"] },
  ],
  noMatchReason: ({ due, status, ...days }) => {
    if (areDatesReversed(days)) return DATES_BACKWARDS;
    return due && isOver(status) ? NOTHING_DUE : null;
  },
});

export type TicketFilter = FilterOf<typeof ticketList>;

export type SearchedPart = keyof typeof FOUND_IN;

export type ListedTicket = {
  id: string;
  version: number;
  number: string;
  oldNumber: string | null;
  title: string;
  snippet: string | null;
  organization: string;
  organizationPath: string | null;
  creator: string;
  createdAt: Instant;
  category: string | null;
  priority: TicketPriority;
  status: TicketStatus;
  isPrivate: boolean;
  assigneeId: string | null;
  /** Holds the name of an assignee who is no member of staff any more, whom the list of staff does not name. */
  formerAssignee?: string;
  due: { words: string; isLate: boolean; sla?: string } | null;
  matched?: SearchedPart;
};

export const NOBODY = "none";

export type StaffChoice = { id: string; name: string };
