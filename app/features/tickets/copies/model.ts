/** Limits the addresses that get copies of one ticket. */
export const COPIES_MAX = 10;

/** Names the page by which whoever gets copies of a ticket ends them. */
export const STOP_COPIES_PATH = "/stop-copies";

export type TicketCopy = { id: string; email: string };

/** Describes the page of the addresses that get copies. */
export type CopiesPage = {
  reference: string;
  title: string;
  copies: readonly TicketCopy[];
  /** Says why no address can be added now. Null: one can. */
  closed: string | null;
};
