import { type SQL, sql } from "drizzle-orm";
import { referenceNumber } from "~/lib/reference-number";
import { fold } from "~/lib/text";

type Searched = { title: string; number: number; description: string; organization: string };

/**
 * Returns the text that a search reads, folded: title, number, description and organization, one per line. A trigger of
 * the database replaces the last line when the organization gets another name.
 */
export const ticketSearchText = ({ title, number, description, organization }: Searched): string =>
  [title, referenceNumber("ticket", number), description, organization].map(fold).join("\n");

/** Returns the same text as an expression, for a ticket whose number only its batch gives. */
export const searchTextOfNew = ({
  title,
  number,
  description,
  organization,
}: Omit<Searched, "number"> & { number: SQL }): SQL =>
  sql`${`${fold(title)}\nt-`} || ${number} || ${["", description, organization].map(fold).join("\n")}`;
