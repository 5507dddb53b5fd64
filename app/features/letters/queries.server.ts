import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import type { Letter, LetterFacts, LetterWords } from "./model";

/** Holds a letter as it is stored. `letter`: null while it is a draft. */
export type StoredLetter = {
  id: string;
  organizationId: string;
  version: number;
  facts: LetterFacts;
  words: LetterWords;
  released: { letter: Letter; json: string; hash: string; at: Instant; by: string; recipients: number } | null;
};

type StoredRow = {
  id: string;
  organizationId: string;
  version: number;
  facts: string;
  words: string;
  json: string | null;
  hash: string | null;
  at: Instant | null;
  by: string | null;
  recipients: number | null;
};

/** Finds a letter. `organizationId`: only if it is one that this organization got. */
export async function findLetter(db: Db, id: string, organizationId?: string): Promise<StoredLetter | null> {
  const [row] = await db.all<StoredRow>(sql`
    SELECT id, organization_id AS organizationId, version, facts_json AS facts, words_json AS words,
      letter_json AS json, letter_hash AS hash, released_at AS at, released_by_name AS by, recipients
    FROM letters WHERE id = ${id}
      ${organizationId === undefined ? sql`` : sql`AND organization_id = ${organizationId} AND status = 'released'`}`);
  if (!row) return null;
  const { facts, words, json, hash, at, by, recipients, ...letter } = row;
  return {
    ...letter,
    facts: JSON.parse(facts) as LetterFacts,
    words: JSON.parse(words) as LetterWords,
    released:
      json === null
        ? null
        : {
            letter: JSON.parse(json) as Letter,
            json,
            hash: hash ?? "",
            at: at ?? 0,
            by: by ?? "",
            recipients: recipients ?? 0,
          },
  };
}

/** Limits the people who get a letter by mail. The others find it in the portal. */
const RECIPIENTS_MAX = 50;

/** Lists who gets a letter by mail: the owner and the admins of its organization who want it, the owner first. */
export const listRecipients = (
  db: Db,
  organizationId: string,
): Promise<{ id: string; email: string; name: string }[]> =>
  db.all(sql`
    SELECT u.id, u.email, u.full_name AS name FROM organization_memberships m INDEXED BY members_by_role_and_status
    JOIN users u ON u.id = m.user_id AND u.status = 'active'
    LEFT JOIN notification_preferences p ON p.user_id = u.id AND p.event = 'monthly_letter'
    WHERE coalesce(p.by_mail, 1) AND m.organization_id = ${organizationId} AND m.role IN ('owner', 'admin') AND m.status = 'active'
    ORDER BY m.role = 'admin', m.number LIMIT ${RECIPIENTS_MAX}`);
