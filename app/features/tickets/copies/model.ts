/** Limits the addresses that get copies of one ticket. */
export const COPIES_MAX = 10;

/** Names the page by which whoever gets copies of a ticket ends them. */
export const STOP_COPIES_PATH = "/stop-copies";

/** Says whether the people of an organization may add addresses: it has not allowed it, is not reviewed yet, or may. */
export type CopiesRule = "off" | "in_review" | "open";

/** Says to clients why they cannot add an address. */
export const CLOSED: Record<Exclude<CopiesRule, "open">, string> = {
  off: "Your organization has not allowed copies. Its owner and admins can allow them",
  in_review: "Your organization is new here: you can add addresses as soon as we have reviewed it",
};

export type TicketCopy = { id: string; email: string };

/** Describes the page of the addresses that get copies. */
export type CopiesPage = {
  reference: string;
  title: string;
  copies: readonly TicketCopy[];
  /** Says why no address can be added now. Null: one can. */
  closed: string | null;
};

/** Returns an address as the history keeps it, which stays when the address is erased: "s…@larkspur.example". */
export const shortened = (email: string): string => `${email.slice(0, 1)}…${email.slice(email.lastIndexOf("@"))}`;
