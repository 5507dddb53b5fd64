import type { SubjectKind } from "~/access/policy";
import { STAFF_NEW_TICKET_PATH, withParams } from "~/lib/addresses";
import type { NamedSubject } from "~/lib/subject";

export const STAFF_TICKETS_PATH = "/admin/tickets";
export const CLIENT_TICKETS_PATH = "/client/tickets";
export const NEW_TICKET_PATH = `${CLIENT_TICKETS_PATH}/new`;

export const newStaffTicketPath = (organizationId: string | null): string =>
  organizationId ? withParams(STAFF_NEW_TICKET_PATH, { organization: organizationId }) : STAFF_NEW_TICKET_PATH;

/** Returns the address of a ticket's page. `ticket`: its reference number, shown as `T-1042`, or its id. */
export const staffTicketPath = (ticket: string): string => `${STAFF_TICKETS_PATH}/${encodeURIComponent(ticket)}`;
export const ticketsOfOrganizationPath = (organizationId: string): string =>
  withParams(STAFF_TICKETS_PATH, { organization: organizationId });
export const movePath = (ticket: string): string => `${STAFF_TICKETS_PATH}/move/${encodeURIComponent(ticket)}`;
export const requesterPath = (ticket: string): string =>
  `${STAFF_TICKETS_PATH}/requester/${encodeURIComponent(ticket)}`;
export const allowancesPath = (ticket: string): string =>
  `${STAFF_TICKETS_PATH}/allowances/${encodeURIComponent(ticket)}`;
export const staffCcPath = (ticket: string): string => `${STAFF_TICKETS_PATH}/copies/${encodeURIComponent(ticket)}`;
export const clientCcPath = (ticket: string): string => `${CLIENT_TICKETS_PATH}/copies/${encodeURIComponent(ticket)}`;
export const resolvePath = (ticket: string): string => `${staffTicketPath(ticket)}#what_was_done`;
export const clientTicketPath = (ticket: string): string => `${CLIENT_TICKETS_PATH}/${encodeURIComponent(ticket)}`;

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
