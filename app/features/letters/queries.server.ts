import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import { monthTitle } from "./compose-letter";
import type { Letter, LetterFacts, LetterWords, ListedLetter } from "./model";

/** Limits the letters on a page of a list. */
const LISTED = 50;

/** Holds a page of a list. `next`: where the following page begins; null: there is none. */
export type LetterPage = { letters: ListedLetter[]; next: string | null };

type Row = Omit<ListedLetter, "title"> & { month: string };

const pageOf = (rows: readonly Row[]): LetterPage => ({
  letters: rows.slice(0, LISTED).map(({ month, ...row }) => ({ ...row, title: monthTitle(month) })),
  next: rows.length > LISTED ? cursorOf(rows[LISTED - 1]) : null,
});

const cursorOf = (row: Row | undefined): string | null => (row ? `${row.month}.${row.id}` : null);

/** Reads a place in a list: months and ids are in descending order. */
function after(cursor: string | null): SQL {
  const [, month, id] = /^(\d{4}-\d{2})\.(ltr_\w+)$/.exec(cursor ?? "") ?? [];
  return month && id ? sql`AND (l.month, l.id) < (${month}, ${id})` : sql``;
}

/** Lists the letters of a status for staff, the newest month first. */
export const listLetters = async (db: Db, status: ListedLetter["status"], cursor: string | null): Promise<LetterPage> =>
  pageOf(
    await db.all(sql`
      SELECT l.id, o.name AS organization, l.month, l.status, l.released_at AS releasedAt
      FROM letters l INDEXED BY letters_by_status JOIN organizations o ON o.id = l.organization_id
      WHERE l.status = ${status} ${after(cursor)} ORDER BY l.month DESC, l.id DESC LIMIT ${LISTED + 1}`),
  );

/** Lists the letters that an organization got, the newest first. */
export const listOwnLetters = async (db: Db, organizationId: string, cursor: string | null): Promise<LetterPage> =>
  pageOf(
    await db.all(sql`
      SELECT l.id, '' AS organization, l.month, l.status, l.released_at AS releasedAt
      FROM letters l INDEXED BY one_letter_a_month
      WHERE l.organization_id = ${organizationId} AND l.status = 'released' ${after(cursor)}
      ORDER BY l.month DESC LIMIT ${LISTED + 1}`),
  );

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
            ...{ letter: JSON.parse(json) as Letter, json, hash: hash ?? "" },
            ...{ at: at ?? 0, by: by ?? "", recipients: recipients ?? 0 },
          },
  };
}
