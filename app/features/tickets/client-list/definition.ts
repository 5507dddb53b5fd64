import { defineList, type FilterOf } from "~/lists/define-list";
import { choiceField, searchField } from "~/lists/fields";
import { PRIORITY_LABELS, STATUS_LABELS } from "../copy";
import { TICKET_PRIORITIES, TICKET_STATUSES } from "../model";
import { CLIENT_TICKETS_PATH } from "../subject";

/**
 * Defines the list of tickets in the portal, the part that browser and server share: address, filters, order. Table,
 * indexes and search are in `definition.server.ts`.
 */
export const clientTicketList = defineList({
  name: "client-tickets",
  ability: "ticket.view",
  path: CLIENT_TICKETS_PATH,
  csvPath: "/client/exports/tickets.csv",
  noun: { one: "ticket", many: "tickets" },
  fields: { q: searchField(), status: choiceField(TICKET_STATUSES), priority: choiceField(TICKET_PRIORITIES) },
  orders: { created: { ascending: "oldest", descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first", oldest: "Oldest first" },
  describe: ({ q, status, priority }) => [
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: status && STATUS_LABELS[status], fields: ["status"] },
    { label: priority && PRIORITY_LABELS[priority], fields: ["priority"] },
  ],
});

export type ClientTicketFilter = FilterOf<typeof clientTicketList>;
