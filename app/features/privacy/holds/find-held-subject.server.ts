import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { normalizeEmail } from "~/lib/email";
import type { HeldSubject } from "../model";

/**
 * Finds what a hold is to protect, as people name it: `L-1001`, `T-1001`, an email address, or the short name of an
 * organization.
 */
export async function findHeldSubject(db: Db, text: string): Promise<{ type: HeldSubject; id: string } | null> {
  const [, kind, number] = /^([LT])-?(\d{1,9})$/i.exec(text) ?? [];
  const slug = text.replace(/^\//, "").toLowerCase();
  const [found] = await db.all<{ type: HeldSubject; id: string }>(
    number
      ? kind?.toUpperCase() === "T"
        ? sql`SELECT 'ticket' AS type, id FROM support_tickets WHERE number = ${Number(number)}`
        : sql`SELECT 'submission' AS type, id FROM contact_submissions WHERE number = ${Number(number)}`
      : text.includes("@")
        ? sql`SELECT 'user' AS type, id FROM users WHERE email = ${normalizeEmail(text)}
            AND status IN ('active', 'deactivated')`
        : sql`SELECT 'organization' AS type, id FROM organizations WHERE slug = ${slug}`,
  );
  return found ?? null;
}
