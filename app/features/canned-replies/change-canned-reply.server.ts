import { and, eq, sql } from "drizzle-orm";
import { can } from "~/access/policy";
import { claimKey, commit, type Db, expectChange, expectRow, expectThat, findClaim } from "~/db/client.server";
import { cannedReplies } from "~/db/schema/ticket-work";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import type { CannedReplyInput } from "./forms.server";
import type { CannedReply } from "./model";
import { findCannedReply, hasRoom, isFull } from "./queries.server";

const t = cannedReplies;

/** Tells whether somebody may change a reply: shared ones are for those who may edit any. */
export const mayEdit = (actor: StaffActor, { isShared }: Pick<CannedReply, "isShared">): boolean =>
  can(actor, "canned_reply.edit", { ownerId: isShared ? null : actor.userId });

type Saving = { id: string | null; input: CannedReplyInput; nonce: string };

/**
 * Creates a canned reply, or changes one; `id` null: a new one. Whoever may not edit shared replies neither changes
 * one nor shares their own. If somebody else has changed it meanwhile, nothing is written, and neither is it where
 * there are as many as are listed: nobody would find it again.
 */
export async function saveCannedReply(
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

/** Deletes a canned reply. What was sent with its words stays. */
export async function deleteCannedReply(
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

/** Counts that a reply was used. */
export async function countUse(db: Db, id: string): Promise<void> {
  await db
    .update(t)
    .set({ used: sql`${t.used} + 1` })
    .where(eq(t.id, id));
}
