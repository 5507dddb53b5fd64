import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { logoPicture } from "~/features/pdf/logo-picture.server";
import { streamOf, writePdf } from "~/features/pdf/write-pdf.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { type Download, download } from "~/platform/responses.server";
import { composeLetter, letterDocument } from "./compose-letter";
import { withPresent } from "./draft-letters.server";
import type { Letter, LetterMetrics, LetterText, SignedLetter } from "./model";

export type StoredLetter = {
  id: string;
  organizationId: string;
  version: number;
  metrics: LetterMetrics;
  words: LetterText;
  released: { letter: Letter; json: string; hash: string; at: Instant; by: string; recipients: number } | null;
};

/** `organizationId`: only if this organization got it. */
export async function findLetter(db: Db, id: string, organizationId?: string): Promise<StoredLetter | null> {
  const [row] = await db.all<{
    id: string;
    organizationId: string;
    version: number;
    metrics: string;
    words: string;
    json: string | null;
    hash: string | null;
    at: Instant | null;
    by: string | null;
    recipients: number | null;
  }>(sql`
    SELECT id, organization_id AS organizationId, version, facts_json AS metrics, words_json AS words,
      letter_json AS json, letter_hash AS hash, released_at AS at, released_by_name AS by, recipients
    FROM letters WHERE id = ${id}
      ${organizationId === undefined ? sql`` : sql`AND organization_id = ${organizationId} AND status = 'released'`}`);
  if (!row) return null;
  const { metrics, words, json, hash, at, by, recipients, ...letter } = row;
  return {
    ...letter,
    metrics: JSON.parse(metrics) as LetterMetrics,
    words: JSON.parse(words) as LetterText,
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

/** The others find it in the portal. */
const RECIPIENTS_MAX = 50;

/** Who wants it, the owner first. */
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

/** Only owner and admins who still want them. */
export async function listSendableLetters(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT o.id FROM json_each(${JSON.stringify(mailIds)}) wanted CROSS JOIN outbox o ON o.id = wanted.value
    CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active'
    CROSS JOIN organization_memberships m ON m.user_id = u.id AND m.organization_id = o.subject_id
      AND m.role IN ('owner', 'admin') AND m.status = 'active'
    LEFT JOIN notification_preferences p ON p.user_id = u.id AND p.event = 'monthly_letter'
    WHERE coalesce(p.by_mail, 1)`);
  return new Set(rows.map(({ id }) => id));
}

/** Lists the letters of a client, the newest first. */
export const listClientLetters = (
  db: Db,
  organizationId: string,
): Promise<{ id: string; month: string; releasedAt: Instant | null }[]> =>
  db.all(sql`SELECT id, month, released_at AS releasedAt FROM letters WHERE organization_id = ${organizationId}
    ORDER BY month DESC LIMIT 4`);

/** A draft comes with what holds now, as it would be released. */
export async function findForStaff(
  { db }: Pick<Ctx, "db">,
  id: string,
): Promise<{ stored: StoredLetter; recipients: string[] } | null> {
  const stored = await findLetter(db, id);
  if (!stored || stored.released) return stored && { stored, recipients: [] };
  const { organizationId } = stored;
  const [metrics, recipients] = await Promise.all([
    withPresent(db, organizationId, stored.metrics),
    listRecipients(db, organizationId),
  ]);
  return {
    stored: { ...stored, metrics, words: explainedText(stored.words, metrics) },
    recipients: recipients.map(({ name }) => name),
  };
}

/** What staff said on the tickets stands as reasons until the draft is saved: what somebody has taken out stays out. */
const explainedText = ({ sentences, reasons }: LetterText, { misses }: LetterMetrics): LetterText => ({
  sentences,
  reasons: misses.map(({ explained }, index) => reasons[index] ?? explained ?? ""),
});

const isAsReleased = ({ json, hash }: NonNullable<StoredLetter["released"]>): boolean => fingerprintOf(json) === hash;

/** A draft is composed as it would be released now. Throws if what is kept was changed. */
export function letterAsRead(
  stored: StoredLetter,
  { signedBy, now }: { signedBy: string; now: Instant },
): SignedLetter {
  const { metrics, words, released } = stored;
  if (!released) return { letter: composeLetter(metrics, words, now), signedBy };
  if (!isAsReleased(released)) throw new Error(`The letter ${stored.id} is not what was released`);
  return { letter: released.letter, signedBy: released.by };
}

export async function writeLetter(
  ctx: Pick<Ctx, "files" | "log" | "publishedSettings" | "request">,
  letter: SignedLetter,
  createdAt: Instant,
) {
  const brand = await effectiveBrand(ctx);
  const picture = await logoPicture(ctx, brand.logo);
  return writePdf(letterDocument(letter, { brand, picture, createdAt }));
}

const dateOf = (ctx: Ctx, { released }: StoredLetter): Instant => released?.at ?? ctx.now();

export const countPages = async (ctx: Ctx, letter: SignedLetter, stored: StoredLetter): Promise<number> =>
  (await writeLetter(ctx, letter, dateOf(ctx, stored))).pages;

/** Null if what is kept was changed. */
export async function letterPdf(ctx: Ctx, stored: StoredLetter): Promise<Uint8Array | null> {
  if (stored.released && !isAsReleased(stored.released)) return null;
  const signed = letterAsRead(stored, { signedBy: stored.released?.by ?? "", now: ctx.now() });
  return (await writeLetter(ctx, signed, dateOf(ctx, stored))).bytes;
}

export async function letterFile(ctx: Ctx, stored: StoredLetter, signedBy: string): Promise<Download> {
  const signed = letterAsRead(stored, { signedBy, now: ctx.now() });
  const { bytes } = await writeLetter(ctx, signed, dateOf(ctx, stored));
  return download({
    fileName: `letter-${signed.letter.month}.pdf`,
    contentType: "application/pdf",
    size: bytes.length,
    content: streamOf(bytes),
  });
}
