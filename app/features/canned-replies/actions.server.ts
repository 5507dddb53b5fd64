import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { claimKey, commit, type Db, expectChange, expectRow, expectThat, findClaim } from "~/db/client.server";
import { cannedReplies } from "~/db/schema/ticket-work";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import { fail, ok, type Result } from "~/lib/result";
import { conflict, denied, done, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { idParam } from "~/platform/route-responses.server";
import {
  CHANGED_MEANWHILE,
  DELETED,
  NOT_DELETED,
  NOT_SAVED,
  SAVED,
  tooManyReplies,
  unknownVariableWords,
  unpairedBracesWords,
} from "./labels";
import { CANNED_LIMITS, CANNED_REPLIES_PATH, PROPOSED_STATUSES, unknownVariables, unpairedBraces } from "./model";
import { findCannedReply, hasRoom, isFull, mayEdit } from "./queries.server";

const tooLong = (name: string, max: number) => `${name} can have at most ${max.toLocaleString("en-US")} characters`;
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
        if (unknown.length > 0) addIssue(unknownVariableWords(unknown));
        else if (unpaired !== null) addIssue(unpairedBracesWords(unpaired));
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

type CannedReplyInput = z.output<typeof CannedReplyForm>;

const t = cannedReplies;

type Saving = { id: string | null; input: CannedReplyInput; nonce: string };

/**
 * `id` null: a new one. Nothing is written where somebody else has changed it meanwhile, or where there are as many as
 * are listed: nobody would find it again.
 */
async function saveCannedReply(
  ctx: Ctx,
  actor: StaffActor,
  { id, input, nonce }: Saving,
): Promise<Result<string, "reply_not_found" | "not_allowed" | "reply_changed" | "too_many">> {
  const { shared, version, ...texts } = input;
  const before = id === null ? null : await findCannedReply(ctx.db, id, actor.userId);
  if (id !== null && !before) return fail("reply_not_found");
  const isShared = shared === "on";
  if (!mayEdit(actor, { isShared }) || (before && !mayEdit(actor, before))) return fail("not_allowed");
  const replyId = id ?? ctx.newId("can");
  const at = ctx.now();
  // Where the answer to a form was lost, its token comes again, perhaps with something else.
  const key = `${nonce}:${fingerprintOf(JSON.stringify(input))}`;
  const owner = isShared ? null : actor.userId;
  const values = { ...texts, owner_id: owner, updated_at: at };
  const isAdded = before?.isShared !== isShared;
  const unchanged = and(eq(t.id, replyId), eq(t.version, version));
  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key, scope: "canned-reply", resultLocation: replyId, at }),
    ...(isAdded ? [expectThat(ctx.db, hasRoom(owner))] : []),
    ...(before
      ? [
          expectRow(ctx.db, t, unchanged),
          ctx.db
            .update(t)
            .set({ ...values, version: sql`${t.version} + 1` })
            .where(unchanged),
        ]
      : [ctx.db.insert(t).values({ ...values, id: replyId, created_at: at })]),
    recordAudit(ctx, "settings.canned_reply_saved", {
      subject: { type: "settings", id: replyId, label: null },
      meta: { changed: [texts.title] },
    }),
  ]);
  if (written) return ok(replyId);
  // The first post of the same form has saved it; it is not said of what somebody else has changed since.
  const claimed = await findClaim(ctx.db, key, "canned-reply");
  const stored = claimed === null ? null : await findCannedReply(ctx.db, claimed, actor.userId);
  if (stored?.version === (before ? version + 1 : 1)) return ok(stored.id);
  return fail(isAdded && (await isFull(ctx.db, owner)) ? "too_many" : "reply_changed");
}

/** What was sent with its words stays. */
async function deleteCannedReply(
  ctx: Ctx,
  actor: StaffActor,
  { id, nonce }: { id: string; nonce: string },
): Promise<Result<null, "reply_not_found" | "not_allowed">> {
  const reply = await findCannedReply(ctx.db, id, actor.userId);
  if (reply && !mayEdit(actor, reply)) return fail("not_allowed");
  const written =
    reply !== null &&
    (await commit(ctx.db, [
      ...claimKey(ctx.db, { key: nonce, scope: "canned-reply-delete", resultLocation: id, at: ctx.now() }),
      ctx.db.delete(t).where(eq(t.id, id)),
      expectChange(ctx.db),
      recordAudit(ctx, "settings.canned_reply_deleted", {
        subject: { type: "settings", id, label: null },
        meta: { changed: [reply.title] },
      }),
    ]));
  if (written || (await findClaim(ctx.db, nonce, "canned-reply-delete")) !== null) return ok(null);
  return fail("reply_not_found");
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
    invalid: invalidForm(NOT_SAVED),
    run: async (ctx, actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const saved = await saveCannedReply(ctx, actor, { id: params.id, input, nonce });
      if (saved.ok) return done({ to: CANNED_REPLIES_PATH, flash: { kind: "success", ...SAVED } });
      if (saved.code === "reply_not_found") return notFound();
      if (saved.code === "not_allowed") return denied();
      const why = saved.code === "too_many" ? tooManyReplies(input.shared === "on") : CHANGED_MEANWHILE;
      return conflict({ title: NOT_SAVED, errors: { form: why }, values });
    },
  },
  delete: {
    purpose: "canned-reply-delete",
    invalid: invalidForm(NOT_DELETED),
    run: async (ctx, actor, { params, nonce }) => {
      if (params.id === null) return notFound();
      const deleted = await deleteCannedReply(ctx, actor, { id: params.id, nonce });
      if (deleted.ok) return done({ to: CANNED_REPLIES_PATH, flash: { kind: "success", ...DELETED } });
      return deleted.code === "not_allowed" ? denied() : notFound();
    },
  },
});
