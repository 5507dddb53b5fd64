import { and, eq, isNull } from "drizzle-orm";
import { claimKey, commit, expectChange, expectThat, findClaim } from "~/db/client.server";
import { legalHolds } from "~/db/schema/privacy";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isActiveAdmin } from "~/features/user-management/admin-guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import type { HeldSubject } from "../model";

type HoldContext = Pick<Ctx, "db" | "now" | "newId" | "request" | "signedIn">;

type Placing = { subject: { type: HeldSubject; id: string }; reason: string; nonce: string };

/** Puts something on legal hold, so that no command and no job deletes it. */
export async function placeHold(
  ctx: HoldContext,
  actor: StaffActor,
  { subject, reason, nonce }: Placing,
): Promise<Result<null, "held_already">> {
  const { db } = ctx;
  const at = ctx.now();
  const id = ctx.newId("hld");
  // A page that could not be read again has the same token for something else.
  const key = `${nonce}:${subject.type}:${subject.id}`;
  const placed = await commit(db, [
    ...claimKey(db, { key, scope: "hold", resultLocation: id, at }),
    expectThat(db, isActiveAdmin(actor.userId)),
    db
      .insert(legalHolds)
      .values({
        id,
        subject_type: subject.type,
        subject_id: subject.id,
        reason,
        placed_by_name: actor.fullName,
        placed_at: at,
      })
      .onConflictDoNothing(),
    expectChange(db),
    recordAudit(ctx, "security.hold_placed", { subject: { ...subject, label: null }, meta: { reason } }),
  ]);
  return placed || (await findClaim(db, key, "hold")) !== null ? ok(null) : fail("held_already");
}

type Lifting = { holdId: string; reason: string; nonce: string };

/** Lifts a hold. From the next run on the retention may delete what it protected. */
export async function liftHold(
  ctx: HoldContext,
  actor: StaffActor,
  { holdId, reason, nonce }: Lifting,
): Promise<Result<null, "hold_gone">> {
  const { db } = ctx;
  const at = ctx.now();
  const [hold] = await db.select().from(legalHolds).where(eq(legalHolds.id, holdId)).limit(1);
  if (!hold) return fail("hold_gone");
  const key = `${nonce}:${holdId}`;
  const lifted = await commit(db, [
    ...claimKey(db, { key, scope: "hold-lift", resultLocation: holdId, at }),
    expectThat(db, isActiveAdmin(actor.userId)),
    db
      .update(legalHolds)
      .set({ lifted_at: at, lifted_by_name: actor.fullName })
      .where(and(eq(legalHolds.id, holdId), isNull(legalHolds.lifted_at))),
    expectChange(db),
    recordAudit(ctx, "security.hold_lifted", {
      subject: { type: hold.subject_type, id: hold.subject_id, label: null },
      meta: { reason },
    }),
  ]);
  return lifted || (await findClaim(db, key, "hold-lift")) !== null ? ok(null) : fail("hold_gone");
}
