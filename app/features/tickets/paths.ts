import type { SubjectKind } from "~/access/subject";
import { STAFF_NEW_TICKET_PATH, withParams } from "~/lib/addresses";
import type { NamedSubject } from "~/lib/subject";

export const STAFF_TICKETS_PATH = "/admin/tickets";
/** Names the address of the list of active tickets, what is due next first. */
export const DUE_TICKETS_PATH = `${STAFF_TICKETS_PATH}?sort=due`;
export const CLIENT_TICKETS_PATH = "/client/tickets";
export const NEW_TICKET_PATH = `${CLIENT_TICKETS_PATH}/new`;

/** Returns the address at which staff open a ticket for a client of an organization; null: it is chosen there. */
export const newStaffTicketPath = (organizationId: string | null): string =>
  organizationId ? withParams(STAFF_NEW_TICKET_PATH, { organization: organizationId }) : STAFF_NEW_TICKET_PATH;

/** Returns the address of a ticket's page. `ticket`: its reference number, shown as `T-1042`, or its id. */
export const staffTicketPath = (ticket: string): string => `${STAFF_TICKETS_PATH}/${encodeURIComponent(ticket)}`;
/** Returns the address of the list of an organization's tickets. */
export const ticketsOfOrganizationPath = (organizationId: string): string =>
  withParams(STAFF_TICKETS_PATH, { organization: organizationId });
/** Returns the address of the page that moves a ticket to another organization. */
export const movePath = (ticket: string): string => `${STAFF_TICKETS_PATH}/move/${encodeURIComponent(ticket)}`;
/** Returns the address of the page of what a ticket has used of the plan. */
export const allowancesPath = (ticket: string): string =>
  `${STAFF_TICKETS_PATH}/allowances/${encodeURIComponent(ticket)}`;
/** Returns the address of the page of who gets copies of a ticket by mail, for staff and for clients. */
export const staffCcPath = (ticket: string): string => `${STAFF_TICKETS_PATH}/copies/${encodeURIComponent(ticket)}`;
export const clientCcPath = (ticket: string): string => `${CLIENT_TICKETS_PATH}/copies/${encodeURIComponent(ticket)}`;
/** Returns the address of the form that resolves a ticket, on its page. */
export const resolvePath = (ticket: string): string => `${staffTicketPath(ticket)}#what_was_done`;
export const clientTicketPath = (ticket: string): string => `${CLIENT_TICKETS_PATH}/${encodeURIComponent(ticket)}`;

/** Describes tickets to whatever stores something about them. */
export const ticketKind: SubjectKind = {
  noun: "ticket",
  idPrefix: "tkt",
  ability: "ticket.view",
  pages: { staff: staffTicketPath, client: clientTicketPath },
  listPath: STAFF_TICKETS_PATH,
};

export const ticketSubject = ({ id, title }: { id: string; title: string }): NamedSubject => ({
  type: "ticket",
  id,
  label: title,
});
