import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { fold } from "~/lib/text";

type Colleague = { id: string; fullName: string };

/** Finds the active staff whom a note names as `@Sam` or `@Sam Miller`. Without an `@` nothing is read. */
export async function findMentioned(db: Db, text: string): Promise<string[]> {
  if (!text.includes("@")) return [];
  const staff = await db.all<Colleague>(sql`
    SELECT u.id, u.full_name AS fullName FROM user_roles r CROSS JOIN users u ON u.id = r.user_id
    WHERE r.role <> 'user' AND u.status = 'active'`);
  return mentionedIn(text, staff);
}

/**
 * Returns those whom a text names behind an `@`, by full name or first name, whatever the case and the accents. Of a
 * first name that several have, all are meant. An `@` inside a word, as in an address, names nobody.
 */
export function mentionedIn(text: string, staff: readonly Colleague[]): string[] {
  const names = staff.map(({ id, fullName }) => ({
    id,
    full: fold(fullName),
    first: fold(fullName).split(" ")[0] ?? "",
  }));
  const mentions = fold(text)
    .split(/(?<![\p{L}\p{N}._-])@/u)
    .slice(1);
  const mentioned = mentions.flatMap((behind) => {
    const byFullName = names.filter(({ full }) => beginsWith(behind, full));
    return byFullName.length > 0 ? byFullName : names.filter(({ first }) => beginsWith(behind, first));
  });
  return [...new Set(mentioned.map(({ id }) => id))];
}

/** Tells whether a text begins with a name that ends there. */
const beginsWith = (text: string, name: string): boolean =>
  name !== "" && text.startsWith(name) && !/^[\p{L}\p{N}_-]/u.test(text.slice(name.length));
