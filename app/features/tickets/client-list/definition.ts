import { choiceField, defineList, type FilterOf, searchField } from "~/lists/define-list";
import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "../labels";
import {
  type ClientTransition,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
  type TicketPriority,
  type TicketStatus,
} from "../model";
import { CLIENT_TICKETS_PATH } from "../paths";

/** Table, indexes and search are in `definition.server.ts`. */
export const clientTicketList = defineList({
  name: "client-tickets",
  ability: "ticket.view",
  path: CLIENT_TICKETS_PATH,
  csvPath: "/client/exports/tickets.csv",
  noun: { one: "ticket", many: "tickets" },
  fields: {
    q: searchField(),
    status: { ...choiceField(TICKET_STATUSES), param: "tab", formerParam: "status" },
    priority: choiceField(TICKET_PRIORITIES),
  },
  orders: { created: { ascending: "oldest", descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first", oldest: "Oldest first" },
  describe: ({ q, status, priority }) => [
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: status && TICKET_STATUS_LABELS[status], fields: ["status"] },
    { label: priority && PRIORITY_LABELS[priority], fields: ["priority"] },
  ],
});

export type ClientTicketFilter = FilterOf<typeof clientTicketList>;

export type ClientTicket = {
  id: string;
  number: string;
  title: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  isPrivate: boolean;
  opened: string;
  assignee: string | null;
  summary: string;
  lastMessageAt: number;
  moves: ClientTransition[];
};

/** Counts the tickets that somebody sees, by status. `solved`: resolved, or closed after having been resolved. */
export type VisibleCounts = Record<TicketStatus | "all" | "solved", number>;

/** In whole percent of all tickets that the person sees; null: there are none. Analytics has a rate of a period. */
export const solvedRate = ({ all, solved }: VisibleCounts): number | null =>
  all === 0 ? null : Math.round((100 * solved) / all);
