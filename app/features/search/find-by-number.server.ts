import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { submissionPath } from "~/features/submissions/subject";
import { clientTicketPath, staffTicketPath } from "~/features/tickets/subject";
import { type TicketViewer, visibleToClient } from "~/features/tickets/visible-ticket.server";
import { referenceNumber } from "~/lib/reference-number";

const NUMBER = /^([TL])-?(\d{1,9})$/i;

/** Returns the page of the ticket or submission that a search names, `T-1042`; null: none that staff may open. */
export async function findByNumber(db: Db, actor: Actor, text: string): Promise<string | null> {
  const [, letter = "", digits = ""] = NUMBER.exec(text.trim()) ?? [];
  const number = Number(digits);
  if (letter.toUpperCase() === "T" && can(actor, "ticket.handle")) {
    const [ticket] = await db.all(sql`SELECT 1 FROM support_tickets WHERE number = ${number}`);
    return ticket ? staffTicketPath(referenceNumber("ticket", number)) : null;
  }
  if (letter.toUpperCase() === "L" && can(actor, "submission.view")) {
    const [found] = await db.all<{ id: string }>(sql`SELECT id FROM contact_submissions WHERE number = ${number}`);
    return found ? submissionPath(found.id) : null;
  }
  return null;
}

/** Returns the page of the ticket that a search names; null: none that the client may see. */
export async function findOwnByNumber(db: Db, viewer: TicketViewer, text: string): Promise<string | null> {
  const [, letter = "", digits = ""] = NUMBER.exec(text.trim()) ?? [];
  if (letter.toUpperCase() !== "T") return null;
  const number = Number(digits);
  const [ticket] = await db.all(
    sql`SELECT 1 FROM support_tickets t WHERE t.number = ${number} AND ${visibleToClient(viewer)}`,
  );
  return ticket ? clientTicketPath(referenceNumber("ticket", number)) : null;
}
