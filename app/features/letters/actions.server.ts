import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { claimKey, commit, type Db, expectRow, findClaim } from "~/db/client.server";
import { letters } from "~/db/schema/letters";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { unsubscribePath } from "~/features/notifications/unsubscribe.server";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import { fail, ok, type Result } from "~/lib/result";
import { conflict, done, invalid, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { composeLetter, letterMail } from "./compose-letter";
import { withPresent } from "./draft-letters.server";
import {
  ALREADY_RELEASED,
  CHANGED_MEANWHILE,
  NOT_RELEASED,
  NOT_SAVED,
  REASON_MISSING,
  REASON_TOO_LONG,
  released,
  SAVED,
  SENTENCE_TOO_LONG,
} from "./labels";
import {
  clientLetterPath,
  LETTER_SENTENCES,
  type LetterWords,
  letterPath,
  MISSES_LISTED,
  REASON_LENGTH,
  SENTENCE_LENGTH,
} from "./model";
import { findLetter, listRecipients, type StoredLetter } from "./queries.server";

const numbered = <Name extends string>(name: Name, count: number): `${Name}_${number}`[] =>
  Array.from({ length: count }, (_, index) => `${name}_${index + 1}` as const);

const SENTENCE_FIELDS = numbered("sentence", LETTER_SENTENCES.length);
const REASON_FIELDS = numbered("reason", MISSES_LISTED);

const line = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) => text.replace(/\s+/g, " ").trim())
    .pipe(z.string().max(max, tooLong));

const Fields = z.object({
  ...Object.fromEntries(SENTENCE_FIELDS.map((name) => [name, line(SENTENCE_LENGTH, SENTENCE_TOO_LONG)])),
  ...Object.fromEntries(REASON_FIELDS.map((name) => [name, line(REASON_LENGTH, REASON_TOO_LONG)])),
  version: z
    .string()
    .regex(/^\d{0,9}$/)
    .transform(Number),
});

const LetterForm: z.ZodType<{ words: LetterWords; version: number }> = absentAsEmpty(
  [...SENTENCE_FIELDS, ...REASON_FIELDS, "version"],
  Fields.transform((fields) => {
    const values = fields as Record<string, string | number>;
    const textOf = (name: string) => String(values[name] ?? "");
    return {
      words: { sentences: SENTENCE_FIELDS.map(textOf), reasons: REASON_FIELDS.map(textOf) },
      version: Number(values.version),
    };
  }),
);

const missingReasons = ({ reasons }: LetterWords, misses: number): string[] =>
  REASON_FIELDS.slice(0, misses).filter((_, index) => !reasons[index]);

type Change = { id: string; version: number; words: LetterWords; nonce: string };

type ChangeError = "letter_not_found" | "letter_changed" | "already_released";

async function saveDraft(ctx: Ctx, change: Change): Promise<Result<null, ChangeError>> {
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

/** All of it is one batch: the letter is kept as it is read, with its fingerprint, and mailed to owner and admins. */
async function releaseLetter(
  ctx: Ctx,
  actor: StaffActor,
  change: Change,
): Promise<Result<{ recipients: number }, ChangeError> | { ok: false; code: "reasons_missing"; fields: string[] }> {
  const key = keyOf("release", change);
  const draft = await findDraft(ctx, change, key);
  if (!draft.ok) return draft;
  const { organizationId } = draft.value;
  const missing = missingReasons(change.words, draft.value.facts.misses.length);
  if (missing.length > 0) return { ok: false, code: "reasons_missing", fields: missing };
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
 * Where the answer to a form was lost, its token comes again, perhaps with other words, or to release what was only
 * saved.
 */
const keyOf = (done: "save" | "release", { nonce, words }: Change): string =>
  `${nonce}:${done}:${fingerprintOf(JSON.stringify(words))}`;

const unchanged = ({ id, version }: Change): SQL | undefined =>
  and(eq(letters.id, id), eq(letters.version, version), eq(letters.status, "draft"));

const edited = ({ now }: Pick<Ctx, "now">) => ({ version: sql`${letters.version} + 1`, updated_at: now() });

async function repeatedOr<Value>(
  { db }: Pick<Ctx, "db">,
  { id, words }: Change,
  { key, repeated }: { key: string; repeated: Result<Value, ChangeError> },
): Promise<Result<Value, ChangeError>> {
  const letter = await findLetter(db, id);
  if (letter && (await isDoneBy(db, { key, words }, letter))) return repeated;
  return fail(letter?.released ? "already_released" : "letter_changed");
}

/** Whether the first post of the same form has done it, and nobody has written other words since. */
const isDoneBy = async (db: Db, { key, words }: { key: string; words: LetterWords }, letter: StoredLetter) =>
  (await findClaim(db, key, SCOPE)) !== null && JSON.stringify(letter.words) === JSON.stringify(words);

type Params = { id: string };

/** What was typed comes back without its version: the form takes that of now, so that it can be sent again. */
const tooLate = (title: string, why: string, { version: _, ...values }: Record<string, string>) =>
  conflict({ title, errors: { form: why }, values });

const WHY = { letter_changed: CHANGED_MEANWHILE, already_released: ALREADY_RELEASED } as const;

export const letterActions = formActions<StaffActor, Params, ValidationError>()({
  save: {
    purpose: "letter",
    form: LetterForm,
    invalid: invalidForm(NOT_SAVED),
    run: async (ctx, _actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const saved = await saveDraft(ctx, { id: params.id, nonce, ...input });
      if (saved.ok) return done({ to: letterPath(params.id), flash: { kind: "success", ...SAVED } });
      if (saved.code === "letter_not_found") return notFound();
      return tooLate(NOT_SAVED, WHY[saved.code], values);
    },
  },
  release: {
    purpose: "letter",
    form: LetterForm,
    invalid: invalidForm(NOT_RELEASED),
    run: async (ctx, actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const result = await releaseLetter(ctx, actor, { id: params.id, nonce, ...input });
      if (result.ok)
        return done({
          to: letterPath(params.id),
          flash: { kind: "success", ...released(result.value.recipients) },
        });
      if (result.code === "reasons_missing") {
        const errors = Object.fromEntries(result.fields.map((field) => [field, REASON_MISSING]));
        return invalid({ title: NOT_RELEASED, errors, values });
      }
      if (result.code === "letter_not_found") return notFound();
      return tooLate(NOT_RELEASED, WHY[result.code], values);
    },
  },
});
