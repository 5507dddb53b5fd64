import { and, eq, type SQL, sql } from "drizzle-orm";
import { claimKey, commit, type Db, expectRow, findClaim } from "~/db/client.server";
import { letters } from "~/db/schema/letters";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { unsubscribePath } from "~/features/notifications/unsubscribe/token.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { composeLetter } from "./compose-letter";
import { missingReasons } from "./forms.server";
import { withPresent } from "./gather-facts.server";
import { letterMail } from "./letter-mail";
import { clientLetterPath, type LetterWords } from "./model";
import { findLetter, listRecipients, type StoredLetter } from "./queries.server";

type Change = { id: string; version: number; words: LetterWords; nonce: string };

type ChangeError = "letter_not_found" | "letter_changed" | "already_released";

/** Keeps what staff have written so far. */
export async function saveDraft(ctx: Ctx, change: Change): Promise<Result<null, ChangeError>> {
  const key = keyOf("save", change);
  const draft = await findDraft(ctx, change, key);
  if (!draft.ok) return draft;
  const { id, organizationId, facts } = draft.value;
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: SCOPE, resultLocation: change.id, at: ctx.now() }),
    expectRow(ctx.db, letters, unchanged(change)),
    ctx.db
      .update(letters)
      .set({ words_json: JSON.stringify(change.words), ...edited(ctx) })
      .where(unchanged(change)),
    recordAudit(ctx, "organization.letter_saved", {
      subject: { type: "organization", id: organizationId, label: facts.organization },
      orgId: organizationId,
      meta: { letter: id, month: facts.month },
    }),
  ]);
  return written ? ok(null) : repeatedOr(ctx, change, { key, repeated: ok(null) });
}

/** Names the promises that have no reason yet, by their fields. */
type ReasonsMissing = { code: "reasons_missing"; fields: string[] };

/**
 * Releases a letter, once: it is kept as it is read, with its fingerprint, appears in the portal, and is mailed to the
 * owner and the admins of its organization. All of that is one batch.
 */
export async function releaseLetter(
  ctx: Ctx,
  actor: StaffActor,
  change: Change,
): Promise<Result<{ recipients: number }, ChangeError> | { ok: false; code: "reasons_missing"; fields: string[] }> {
  const key = keyOf("release", change);
  const draft = await findDraft(ctx, change, key);
  if (!draft.ok) return draft;
  const { organizationId } = draft.value;
  const missing = missingReasons(change.words, draft.value.facts.misses.length);
  if (missing.length > 0)
    return { ok: false, ...({ code: "reasons_missing", fields: missing } satisfies ReasonsMissing) };
  const at = ctx.now();
  const [facts, recipients] = await Promise.all([
    withPresent(ctx.db, organizationId, draft.value.facts),
    listRecipients(ctx.db, organizationId),
  ]);
  const letter = composeLetter(facts, change.words, at);
  const json = JSON.stringify(letter);
  const data = letterMail({ letter, signedBy: actor.fullName }, clientLetterPath(change.id));
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: SCOPE, resultLocation: change.id, at: ctx.now() }),
    expectRow(ctx.db, letters, unchanged(change)),
    ctx.db
      .update(letters)
      .set({
        facts_json: JSON.stringify(facts),
        words_json: JSON.stringify(change.words),
        status: "released",
        letter_json: json,
        letter_hash: fingerprintOf(json),
        released_at: at,
        released_by_name: actor.fullName,
        recipients: recipients.length,
        ...edited(ctx),
      })
      .where(unchanged(change)),
    recordAudit(ctx, "organization.letter_released", {
      subject: { type: "organization", id: organizationId, label: facts.organization },
      orgId: organizationId,
      meta: { letter: change.id, month: facts.month, people: recipients.length },
    }),
    ...enqueueMails(
      ctx,
      "letter",
      recipients.map(({ id: userId, email }) => {
        const unsubscribe = unsubscribePath(ctx.config, { userId, event: "monthly_letter" });
        const about = { type: "organization" as const, id: organizationId };
        return { to: email, reader: userId, about, data: { ...data, unsubscribePath: unsubscribe } };
      }),
    ),
  ]);
  if (!written) return repeatedOr(ctx, change, { key, repeated: ok({ recipients: recipients.length }) });
  ctx.after(deliverOutbox(ctx));
  return ok({ recipients: recipients.length });
}

async function findDraft(
  { db }: Pick<Ctx, "db">,
  change: Change,
  key: string,
): Promise<Result<StoredLetter, ChangeError>> {
  const letter = await findLetter(db, change.id);
  if (!letter) return fail("letter_not_found");
  if (await isDoneBy(db, { key, words: change.words }, letter)) return ok(letter);
  if (letter.released) return fail("already_released");
  return letter.version === change.version ? ok(letter) : fail("letter_changed");
}

const SCOPE = "letter";

/**
 * Returns the key under which words are saved, or released, once. Where the answer to a form was lost, its token comes
 * again, perhaps with other words, or to release what was only saved.
 */
const keyOf = (done: "save" | "release", { nonce, words }: Change): string =>
  `${nonce}:${done}:${fingerprintOf(JSON.stringify(words))}`;

const unchanged = ({ id, version }: Change): SQL | undefined =>
  and(eq(letters.id, id), eq(letters.version, version), eq(letters.status, "draft"));

const edited = ({ now }: Pick<Ctx, "now">) => ({ version: sql`${letters.version} + 1`, updated_at: now() });

/** Tells a form that was accepted before from one that lost against another. */
async function repeatedOr<Value>(
  { db }: Pick<Ctx, "db">,
  { id, words }: Change,
  { key, repeated }: { key: string; repeated: Result<Value, ChangeError> },
): Promise<Result<Value, ChangeError>> {
  const letter = await findLetter(db, id);
  if (letter && (await isDoneBy(db, { key, words }, letter))) return repeated;
  return fail(letter?.released ? "already_released" : "letter_changed");
}

/** Tells whether the first post of the same form has done it, and nobody has written other words since. */
const isDoneBy = async (db: Db, { key, words }: { key: string; words: LetterWords }, letter: StoredLetter) =>
  (await findClaim(db, key, SCOPE)) !== null && JSON.stringify(letter.words) === JSON.stringify(words);
