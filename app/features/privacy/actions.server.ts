import { and, eq, isNull, sql } from "drizzle-orm";
import { type Db, expectChange } from "~/db/client.server";
import { legalHolds } from "~/db/schema/privacy";
import { recordAudit } from "~/features/audit/record-audit.server";
import { missingProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isOnHold } from "~/features/subjects/legal-hold.server";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { PRIVACY_PATH } from "~/lib/addresses";
import { normalizeEmail } from "~/lib/email";
import { fail, ok, type Result } from "~/lib/errors";
import type { ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { conflict, done, invalid } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { erasePerson } from "./erase-person.server";
import { DeclineForm, EraseForm, LegalHoldForm, LiftForm } from "./forms.server";
import {
  CLOSURE_DECLINED,
  CLOSURE_GONE,
  ERASED,
  eraseError,
  HELD,
  HOLD_COPY,
  LIFTED,
  NOT_DECLINED,
  NOT_ERASED,
  NOT_HELD,
  NOT_LIFTED,
} from "./labels";
import { type HeldSubject, personPath } from "./model";
import { declineClosure } from "./own-data.server";

type HoldContext = Pick<Ctx, "db" | "now" | "newId" | "request" | "signedIn">;

type Placing = { subject: { type: HeldSubject; id: string }; reason: string; nonce: string };

/** No command and no job deletes what is on hold. */
export async function placeHold(
  ctx: HoldContext,
  actor: StaffActor,
  { subject, reason, nonce }: Placing,
): Promise<Result<null, "held_already">> {
  const id = ctx.newId("hld");
  // A page that could not be read again has the same token for something else.
  const form = { scope: "hold", key: `${nonce}:${subject.type}:${subject.id}` };
  const placed = await runCommand(ctx, form, {
    read: async () => null,
    plan: (): Planned<"held_already"> =>
      ok({
        resultId: id,
        expects: [
          { that: isActiveAdmin(actor.userId), otherwise: "held_already" },
          { that: sql`NOT ${isOnHold(subject.type, subject.id)}`, otherwise: "held_already" },
        ],
        statements: [
          ctx.db.insert(legalHolds).values({
            id,
            subject_type: subject.type,
            subject_id: subject.id,
            reason,
            placed_by_name: actor.fullName,
            placed_at: ctx.now(),
          }),
          recordAudit(ctx, "security.hold_placed", { subject: { ...subject, label: null }, meta: { reason } }),
        ],
      }),
  });
  return placed.ok ? ok(null) : placed;
}

type Lifting = { holdId: string; reason: string; nonce: string };

/** From the next run on the retention may delete what it protected. */
export async function liftHold(
  ctx: HoldContext,
  actor: StaffActor,
  { holdId, reason, nonce }: Lifting,
): Promise<Result<null, "hold_gone">> {
  const { db } = ctx;
  const form = { scope: "hold-lift", key: `${nonce}:${holdId}` };
  const lifted = await runCommand(ctx, form, {
    read: () => db.select().from(legalHolds).where(eq(legalHolds.id, holdId)).limit(1),
    plan: ([hold]): Planned<"hold_gone"> => {
      if (!hold || hold.lifted_at !== null) return fail("hold_gone");
      return ok({
        resultId: holdId,
        expects: [{ that: isActiveAdmin(actor.userId), otherwise: "hold_gone" }],
        statements: [
          db
            .update(legalHolds)
            .set({ lifted_at: ctx.now(), lifted_by_name: actor.fullName })
            .where(and(eq(legalHolds.id, holdId), isNull(legalHolds.lifted_at))),
          expectChange(db),
          recordAudit(ctx, "security.hold_lifted", {
            subject: { type: hold.subject_type, id: hold.subject_id, label: null },
            meta: { reason },
          }),
        ],
      });
    },
  });
  return lifted.ok ? ok(null) : lifted;
}

/** As people name it: `L-1001`, `T-1001`, an email address, or the short name of an organization. */
export async function findHeldSubject(db: Db, text: string): Promise<{ type: HeldSubject; id: string } | null> {
  const [, kind, number] = /^([LT])-?(\d{1,9})$/i.exec(text) ?? [];
  const slug = text.replace(/^\//, "").toLowerCase();
  const [found] = await db.all<{ type: HeldSubject; id: string }>(
    number
      ? kind?.toUpperCase() === "T"
        ? sql`SELECT 'ticket' AS type, id FROM support_tickets WHERE number = ${Number(number)}`
        : sql`SELECT 'submission' AS type, id FROM contact_submissions WHERE number = ${Number(number)}`
      : text.includes("@")
        ? sql`SELECT 'user' AS type, id FROM users WHERE email = ${normalizeEmail(text)}
            AND status IN ('active', 'deactivated')`
        : sql`SELECT 'organization' AS type, id FROM organizations WHERE slug = ${slug}`,
  );
  return found ?? null;
}

const OPTIONS = { reading: { raw: ["current_password"] }, secrets: ["current_password", "code"] };

export const holdActions = formActions<StaffActor, null, ValidationError>(OPTIONS)({
  hold: {
    ability: "privacy.manage",
    purpose: "privacy-hold",
    form: LegalHoldForm,
    failed: "Failed to place the hold",
    invalid: invalidForm(NOT_HELD),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = { subject: input.subject, reason: input.reason };
      const subject = await findHeldSubject(ctx.db, input.subject);
      if (!subject) return invalid({ title: NOT_HELD, errors: { subject: HOLD_COPY.subject_unknown }, values });
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const placed = await placeHold(ctx, actor, { subject, reason: input.reason, nonce });
      if (placed.ok) return done({ to: PRIVACY_PATH, flash: { kind: "success", ...HELD } });
      return invalid({ title: NOT_HELD, errors: { subject: HOLD_COPY[placed.code] }, values });
    },
  },
  lift: {
    ability: "privacy.manage",
    purpose: "privacy-lift",
    form: LiftForm,
    failed: "Failed to lift the hold",
    invalid: invalidForm(NOT_LIFTED),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = { reason: input.reason };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const lifted = await liftHold(ctx, actor, { holdId: input.hold_id, reason: input.reason, nonce });
      if (lifted.ok) return done({ to: PRIVACY_PATH, flash: { kind: "success", ...LIFTED } });
      return invalid({ title: NOT_LIFTED, errors: { form: HOLD_COPY[lifted.code] }, values });
    },
  },
});

export const personalDataActions = formActions<StaffActor, { personId: string }, ValidationError>(OPTIONS)({
  erase: {
    ability: "privacy.manage",
    purpose: "privacy-erase",
    form: EraseForm,
    failed: "Failed to erase the person",
    invalid: invalidForm(NOT_ERASED),
    run: async (ctx, actor, { input, nonce, fields, params: { personId } }) => {
      const values = { confirm: input.confirm };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const erased = await erasePerson(ctx, actor, { personId, nonce });
      if (erased.ok) return done({ to: PRIVACY_PATH, flash: { kind: "success", ...ERASED } });
      return invalid({ title: NOT_ERASED, errors: { form: eraseError(erased.code) }, values });
    },
  },
  decline: {
    ability: "privacy.manage",
    purpose: "privacy-decline",
    form: DeclineForm,
    failed: "Failed to decline closing the account",
    invalid: invalidForm(NOT_DECLINED),
    run: async (ctx, actor, { input: { reason }, params: { personId } }) => {
      const declined = await declineClosure(ctx, actor, { personId, reason });
      if (declined.ok) return done({ to: personPath(personId), flash: { kind: "success", ...CLOSURE_DECLINED } });
      return conflict({ title: NOT_DECLINED, errors: { form: CLOSURE_GONE }, values: { reason } });
    },
  },
});
