import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { type Db, expectChange } from "~/db/client.server";
import { cannedReplies } from "~/db/schema/ticket-work";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { fail, ok, type Result } from "~/lib/errors";
import { absentAsEmpty, tooLong, type ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { conflict, denied, done, idParam, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import {
  CANNED_REPLY_CHANGED_MEANWHILE,
  CANNED_REPLY_DELETED,
  CANNED_REPLY_NOT_DELETED,
  CANNED_REPLY_NOT_SAVED,
  CANNED_REPLY_SAVED,
  tooManyReplies,
  unknownVariableText,
  unpairedBracesText,
} from "./labels";
import { CANNED_LIMITS, CANNED_REPLIES_PATH, PROPOSED_STATUSES, unknownVariables, unpairedBraces } from "./model";
import { findCannedReply, hasRoom, mayEdit } from "./queries.server";

const orNull = (text: string) => text || null;

/** A variable that does not exist, or whose braces are not closed, is an error: the client would read its braces. */
const CannedReplyForm = absentAsEmpty(
  ["title", "message", "category", "status", "version"],
  z.object({
    title: z
      .string()
      .trim()
      .min(1, "Title is required")
      .max(CANNED_LIMITS.title, tooLong("Title", CANNED_LIMITS.title)),
    message: z
      .string()
      .trim()
      .min(1, "Text is required")
      .superRefine((text, { addIssue }) => {
        const unknown = unknownVariables(text);
        const unpaired = unpairedBraces(text);
        if (unknown.length > 0) addIssue(unknownVariableText(unknown));
        else if (unpaired !== null) addIssue(unpairedBracesText(unpaired));
      })
      .max(CANNED_LIMITS.message, tooLong("Text", CANNED_LIMITS.message)),
    category: z.string().trim().max(60, tooLong("Category", 60)).transform(orNull),
    status: z.enum(["", ...PROPOSED_STATUSES]).transform((text) => text || null),
    shared: z.literal("on").optional(),
    version: z
      .string()
      .regex(/^\d{0,9}$/)
      .transform(Number),
  }),
);

const t = cannedReplies;

type SavingError = "reply_not_found" | "not_allowed" | "reply_changed" | "too_many";

/**
 * `id` null: a new one. Nothing is written where somebody else has changed it meanwhile, or where there are as many as
 * are listed: nobody would find it again.
 */
async function saveCannedReply(
  ctx: Ctx,
  actor: StaffActor,
  { id, input, nonce }: { id: string | null; input: z.output<typeof CannedReplyForm>; nonce: string },
): Promise<Result<string, SavingError>> {
  const { shared, version, ...texts } = input;
  const isShared = shared === "on";
  const owner = isShared ? null : actor.userId;
  const replyId = id ?? ctx.newId("can");
  const unchanged = and(eq(t.id, replyId), eq(t.version, version));
  let isRepeated = true;
  // Where the answer to a form was lost, its token comes again, perhaps with something else.
  const form = { scope: "canned-reply", key: `${nonce}:${fingerprintOf(JSON.stringify(input))}` };
  const saved = await runCommand(ctx, form, {
    read: async () => id && findCannedReply(ctx.db, id, actor.userId),
    plan: (before): Planned<SavingError> => {
      if (id && !before) return fail("reply_not_found");
      if (!mayEdit(actor, { isShared }) || (before && !mayEdit(actor, before))) return fail("not_allowed");
      const at = ctx.now();
      const values = { ...texts, owner_id: owner, updated_at: at };
      const isThere = sql`EXISTS (SELECT 1 FROM ${t} WHERE ${unchanged})`;
      const isAdded = !before || before.isShared !== isShared;
      return ok({
        resultId: replyId,
        expects: [
          ...(isAdded ? [{ that: hasRoom(owner), otherwise: "too_many" as const }] : []),
          ...(before ? [{ that: isThere, otherwise: "reply_changed" as const }] : []),
        ],
        statements: [
          before
            ? ctx.db
                .update(t)
                .set({ ...values, version: sql`${t.version} + 1` })
                .where(unchanged)
            : ctx.db.insert(t).values({ ...values, id: replyId, created_at: at }),
          recordAudit(ctx, "settings.canned_reply_saved", {
            subject: { type: "settings", id: replyId, label: null },
            meta: { changed: [texts.title] },
          }),
        ],
        after: () => {
          isRepeated = false;
        },
      });
    },
  });
  if (!saved.ok || !isRepeated) return saved;
  // It is not said of what somebody else has changed since.
  const stored = await findCannedReply(ctx.db, saved.value, actor.userId);
  return stored?.version === (id ? version + 1 : 1) ? saved : fail("reply_changed");
}

/** What was sent with its words stays. */
async function deleteCannedReply(
  ctx: Ctx,
  actor: StaffActor,
  { id, nonce }: { id: string; nonce: string },
): Promise<Result<null, "reply_not_found" | "not_allowed">> {
  const form = { scope: "canned-reply-delete", key: nonce };
  const deleted = await runCommand(ctx, form, {
    read: () => findCannedReply(ctx.db, id, actor.userId),
    plan: (reply): Planned<"reply_not_found" | "not_allowed"> => {
      if (!reply) return fail("reply_not_found");
      if (!mayEdit(actor, reply)) return fail("not_allowed");
      return ok({
        resultId: id,
        statements: [
          ctx.db.delete(t).where(eq(t.id, id)),
          expectChange(ctx.db),
          recordAudit(ctx, "settings.canned_reply_deleted", {
            subject: { type: "settings", id, label: null },
            meta: { changed: [reply.title] },
          }),
        ],
      });
    },
  });
  return deleted.ok ? ok(null) : deleted;
}

export async function countUse(db: Db, id: string): Promise<void> {
  await db
    .update(t)
    .set({ used: sql`${t.used} + 1` })
    .where(eq(t.id, id));
}

/** Null: a new one. */
type Params = { id: string | null };

/** Null: a new one. Throws a 404 for what is no id. */
export const replyParam = (reply: string | undefined): string | null =>
  reply === "new" ? null : idParam("can", reply);

export const cannedReplyActions = formActions<StaffActor, Params, ValidationError>()({
  save: {
    purpose: "canned-reply",
    form: CannedReplyForm,
    failed: CANNED_REPLY_NOT_SAVED,
    invalid: invalidForm(CANNED_REPLY_NOT_SAVED),
    run: async (ctx, actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const saved = await saveCannedReply(ctx, actor, { id: params.id, input, nonce });
      if (saved.ok) return done({ to: CANNED_REPLIES_PATH, flash: { kind: "success", ...CANNED_REPLY_SAVED } });
      if (saved.code === "reply_not_found") return notFound();
      if (saved.code === "not_allowed") return denied();
      const why = saved.code === "too_many" ? tooManyReplies(input.shared === "on") : CANNED_REPLY_CHANGED_MEANWHILE;
      return conflict({ title: CANNED_REPLY_NOT_SAVED, errors: { form: why }, values });
    },
  },
  delete: {
    purpose: "canned-reply-delete",
    failed: CANNED_REPLY_NOT_DELETED,
    invalid: invalidForm(CANNED_REPLY_NOT_DELETED),
    run: async (ctx, actor, { params, nonce }) => {
      if (params.id === null) return notFound();
      const deleted = await deleteCannedReply(ctx, actor, { id: params.id, nonce });
      if (deleted.ok) return done({ to: CANNED_REPLIES_PATH, flash: { kind: "success", ...CANNED_REPLY_DELETED } });
      return deleted.code === "not_allowed" ? denied() : notFound();
    },
  },
});
