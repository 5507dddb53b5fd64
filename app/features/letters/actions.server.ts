import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { expectRow, type Statement } from "~/db/client.server";
import { letters } from "~/db/schema/letters";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { unsubscribePath } from "~/features/notifications/unsubscribe.server";
import { fail, ok, type Result } from "~/lib/errors";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { conflict, done, invalid, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { composeLetter, letterMail } from "./compose-letter";
import { withPresent } from "./draft-letters.server";
import {
  LETTER_ALREADY_RELEASED,
  LETTER_CHANGED_MEANWHILE,
  LETTER_NOT_RELEASED,
  LETTER_NOT_SAVED,
  LETTER_RELEASE_FAILED,
  LETTER_SAVE_FAILED,
  LETTER_SAVED,
  REASON_MISSING,
  REASON_TOO_LONG,
  released,
  SENTENCE_TOO_LONG,
} from "./labels";
import {
  clientLetterPath,
  LETTER_SENTENCES,
  type LetterText,
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

const LetterForm: z.ZodType<{ words: LetterText; version: number }> = absentAsEmpty(
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

type Change = { id: string; version: number; words: LetterText; nonce: string };

type ChangeError = "letter_not_found" | "letter_changed" | "already_released" | "changed_since";

type Edit = {
  set: Partial<typeof letters.$inferInsert>;
  resultId: string;
  statements: Statement[];
  after?: () => void;
};

type DraftCommand<Code extends string> = {
  does: "save" | "release";
  change: Change;
  plan: (letter: StoredLetter) => Result<Edit, Code> | Promise<Result<Edit, Code>>;
};

/**
 * Where the answer to a form was lost, its token comes again, perhaps with other words, or to release what was only
 * saved. A form that arrives again has done it only if nobody has written other words since.
 */
function changeDraft<Code extends string>(
  ctx: Ctx,
  { does, change: { id, version, words, nonce }, plan }: DraftCommand<Code>,
): Promise<Result<string, Code | ChangeError>> {
  const { db } = ctx;
  const choice = fingerprintOf(JSON.stringify(words));
  const isUnchanged = and(eq(letters.id, id), eq(letters.version, version), eq(letters.status, "draft"));
  const form = { scope: "letter", key: `${nonce}:${does}`, choice };
  return runCommand<StoredLetter | null, Code | ChangeError>(ctx, form, {
    read: () => findLetter(db, id),
    plan: async (letter, { last }): Promise<Planned<Code | ChangeError>> => {
      if (!letter) return fail("letter_not_found");
      const isDone = last === choice && JSON.stringify(letter.words) === JSON.stringify(words);
      if (isDone) return ok({ resultId: String(letter.released?.recipients ?? 0) });
      if (letter.released) return fail("already_released");
      if (letter.version !== version) return fail("letter_changed");
      const planned = await plan(letter);
      if (!planned.ok) return planned;
      const { set, resultId, statements, after } = planned.value;
      const edited = { words_json: JSON.stringify(words), version: sql`${letters.version} + 1`, updated_at: ctx.now() };
      return ok({
        resultId,
        statements: [
          expectRow(db, letters, isUnchanged),
          db
            .update(letters)
            .set({ ...set, ...edited })
            .where(isUnchanged),
          ...statements,
        ],
        after,
      });
    },
  });
}

const auditOf = ({ organizationId, metrics }: StoredLetter) => ({
  subject: { type: "organization" as const, id: organizationId, label: metrics.organization },
  orgId: organizationId,
});

const saveDraft = (ctx: Ctx, change: Change): Promise<Result<string, ChangeError>> =>
  changeDraft(ctx, {
    does: "save",
    change,
    plan: (letter) => {
      const meta = { letter: letter.id, month: letter.metrics.month };
      return ok({
        set: {},
        resultId: "",
        statements: [recordAudit(ctx, "organization.letter_saved", { ...auditOf(letter), meta })],
      });
    },
  });

/** All of it is one batch: the letter is kept as it is read, with its fingerprint, and mailed to owner and admins. */
async function releaseLetter(
  ctx: Ctx,
  actor: StaffActor,
  change: Change,
): Promise<Result<{ recipients: number }, ChangeError> | { ok: false; code: "reasons_missing"; fields: string[] }> {
  let fields: string[] = [];
  const released = await changeDraft(ctx, {
    does: "release",
    change,
    plan: async (draft) => {
      const { organizationId } = draft;
      fields = REASON_FIELDS.slice(0, draft.metrics.misses.length).filter((_, index) => !change.words.reasons[index]);
      if (fields.length > 0) return fail("reasons_missing");
      const at = ctx.now();
      const [metrics, recipients] = await Promise.all([
        withPresent(ctx.db, organizationId, draft.metrics),
        listRecipients(ctx.db, organizationId),
      ]);
      const letter = composeLetter(metrics, change.words, at);
      const json = JSON.stringify(letter);
      const data = letterMail({ letter, signedBy: actor.fullName }, clientLetterPath(change.id));
      const mails = recipients.map(({ id: userId, email }) => {
        const unsubscribe = unsubscribePath(ctx.config, { userId, event: "monthly_letter" });
        const about = { type: "organization" as const, id: organizationId };
        return { to: email, reader: userId, about, data: { ...data, unsubscribePath: unsubscribe } };
      });
      return ok({
        set: {
          facts_json: JSON.stringify(metrics),
          status: "released",
          letter_json: json,
          letter_hash: fingerprintOf(json),
          released_at: at,
          released_by_name: actor.fullName,
          recipients: recipients.length,
        },
        resultId: String(recipients.length),
        statements: [
          recordAudit(ctx, "organization.letter_released", {
            ...auditOf(draft),
            meta: { letter: change.id, month: metrics.month, people: recipients.length },
          }),
          ...enqueueMails(ctx, "letter", mails),
        ],
        after: () => ctx.after(deliverOutbox(ctx)),
      });
    },
  });
  if (released.ok) return ok({ recipients: Number(released.value) });
  return released.code === "reasons_missing" ? { ok: false, code: released.code, fields } : fail(released.code);
}

/** What was typed comes back without its version: the form takes that of now, so that it can be sent again. */
const tooLate = (title: string, why: string, { version: _, ...values }: Record<string, string>) =>
  conflict({ title, errors: { form: why }, values });

const WHY = {
  letter_changed: LETTER_CHANGED_MEANWHILE,
  changed_since: LETTER_CHANGED_MEANWHILE,
  already_released: LETTER_ALREADY_RELEASED,
} as const;

export const letterActions = formActions<StaffActor, { id: string }, ValidationError>()({
  save: {
    purpose: "letter",
    form: LetterForm,
    failed: LETTER_SAVE_FAILED,
    invalid: invalidForm(LETTER_NOT_SAVED),
    run: async (ctx, _actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const saved = await saveDraft(ctx, { id: params.id, nonce, ...input });
      if (saved.ok) return done({ to: letterPath(params.id), flash: { kind: "success", ...LETTER_SAVED } });
      if (saved.code === "letter_not_found") return notFound();
      return tooLate(LETTER_NOT_SAVED, WHY[saved.code], values);
    },
  },
  release: {
    purpose: "letter",
    form: LetterForm,
    failed: LETTER_RELEASE_FAILED,
    invalid: invalidForm(LETTER_NOT_RELEASED),
    run: async (ctx, actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const result = await releaseLetter(ctx, actor, { id: params.id, nonce, ...input });
      if (result.ok)
        return done({
          to: letterPath(params.id),
          flash: { kind: "success", ...released(result.value.recipients) },
        });
      if (result.code === "reasons_missing") {
        const errors = Object.fromEntries(result.fields.map((field) => [field, REASON_MISSING]));
        return invalid({ title: LETTER_NOT_RELEASED, errors, values });
      }
      if (result.code === "letter_not_found") return notFound();
      return tooLate(LETTER_NOT_RELEASED, WHY[result.code], values);
    },
  },
});
