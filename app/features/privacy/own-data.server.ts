import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { getSettings } from "~/features/settings/queries.server";
import { isTrue } from "~/features/subjects/legal-hold.server";
import {
  isActiveAdmin,
  isNoSoleOwner,
  listAdminAddresses,
  listSoleOwnerships,
} from "~/features/user-management/queries.server";
import { userSubject } from "~/features/users/model";
import { fail, ok, type Result } from "~/lib/errors";
import type { ValidationError } from "~/lib/form";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimitOfPeriod } from "~/platform/rate-limits.server";
import { type ActionResult, conflict, done } from "~/platform/responses.server";
import { NotNow } from "~/platform/run-command.server";
import { isNotLastAdmin } from "./erase-person.server";
import { askedTooOften, CLOSURE_REQUESTED, CLOSURE_WITHDRAWN, closureObstacle, NOT_REQUESTED } from "./labels";
import { OWN_DATA_PATH, ownFilePath, personPath } from "./model";
import { sendPersonFiles } from "./person-files.server";
import { findClosureRequest, findPersonalData } from "./queries.server";

type ClosureObstacle = { code: "sole_owner" | "last_admin"; organizations: string[] };

/** Null: it can. */
async function findObstacle({ db }: Pick<Ctx, "db">, userId: string): Promise<ClosureObstacle | null> {
  const [organizations, isFree] = await Promise.all([
    listSoleOwnerships(db, userId),
    isTrue(db, isNotLastAdmin(userId)),
  ]);
  if (organizations.length > 0) return { code: "sole_owner", organizations };
  return isFree ? null : { code: "last_admin", organizations };
}

const requested = (userId: string): SQL | undefined => and(eq(users.id, userId), isNotNull(users.closure_requested_at));

/**
 * Staff decide about it. Asked again it is the same request. Null: it is asked for. Throws `NotNow` where somebody has
 * asked and taken it back too often.
 */
async function requestClosure(ctx: Ctx, { userId, fullName, email }: SignedIn): Promise<ClosureObstacle | null> {
  const { db, now } = ctx;
  const [obstacle, requestedAt] = await Promise.all([findObstacle(ctx, userId), findClosureRequest(db, userId)]);
  if (obstacle || requestedAt !== null) return obstacle;
  const until = await takeLimitOfPeriod(db, "closure_user", userId, now());
  if (until !== null) throw new NotNow("rate_limited", until, askedTooOften(until, now()));
  const about = userSubject({ userId, fullName });
  const admins = await listAdminAddresses(db, userId);
  const notice = { name: fullName, email, path: personPath(userId) };
  const written = await commit(db, [
    db
      .update(users)
      .set({ closure_requested_at: now() })
      .where(and(eq(users.id, userId), eq(users.status, "active"), isNull(users.closure_requested_at))),
    expectChange(db),
    expectThat(db, isNoSoleOwner(userId)),
    expectThat(db, isNotLastAdmin(userId)),
    recordAudit(ctx, "user.closure_requested", { subject: about }),
    enqueueMail(ctx, "account-closure", { to: email, about, data: { state: "requested", reason: null } }),
    ...admins.map((admin) => enqueueMail(ctx, "account-closure-notice", { to: admin.email, about, data: notice })),
  ]);
  if (!written) return findObstacle(ctx, userId);
  ctx.after(deliverOutbox(ctx));
  return null;
}

/** False if there is none any more. */
async function withdrawClosure(ctx: Ctx, { userId, fullName }: SignedIn): Promise<boolean> {
  const { db } = ctx;
  return commit(db, [
    db.update(users).set({ closure_requested_at: null }).where(requested(userId)),
    expectChange(db),
    recordAudit(ctx, "user.closure_withdrawn", { subject: userSubject({ userId, fullName }) }),
  ]);
}

export async function declineClosure(
  ctx: Ctx,
  actor: StaffActor,
  { personId, reason }: { personId: string; reason: string },
): Promise<Result<null, "closure_gone">> {
  const { db } = ctx;
  const person = await findPersonalData(db, personId);
  if (!person?.userId || (await findClosureRequest(db, person.userId)) === null) return fail("closure_gone");
  const { userId, name, email } = person;
  const about = userSubject({ userId, fullName: name });
  const written = await commit(db, [
    expectThat(db, isActiveAdmin(actor.userId)),
    db.update(users).set({ closure_requested_at: null }).where(requested(userId)),
    expectChange(db),
    recordAudit(ctx, "user.closure_declined", { subject: about, meta: { reason } }),
    enqueueMail(ctx, "account-closure", { to: email, about, data: { state: "declined", reason } }),
  ]);
  if (!written) return fail("closure_gone");
  ctx.after(deliverOutbox(ctx));
  return ok(null);
}

export async function readOwnData(ctx: Ctx, signedIn: SignedIn) {
  const { userId } = signedIn;
  const [requestedAt, obstacle, { timeZone: zone }] = await Promise.all([
    findClosureRequest(ctx.db, userId),
    findObstacle(ctx, userId),
    getSettings(ctx.db),
  ]);
  return {
    requestedAt,
    obstacle: obstacle && { ...obstacle, text: closureObstacle(obstacle.code, obstacle.organizations) },
    zone,
    hasProof: hasRecentProof(ctx, signedIn),
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    hasErrors: ctx.form.isRejected,
  };
}

/** Without anything of others. `after`: where the archive before it ended. */
export function exportOwnData(ctx: Ctx, signedIn: SignedIn, after: string): Promise<ActionResult<never>> {
  const { userId, fullName, email } = signedIn;
  const person = { id: userId, userId, name: fullName, email };
  return sendPersonFiles(ctx, signedIn, person, {
    after,
    page: OWN_DATA_PATH,
    name: "my-data",
    pathAfter: ownFilePath,
  });
}

export const ownDataActions = formActions<SignedIn, null, ValidationError>({ failed: "Failed to update your account" })(
  {
    close: {
      purpose: ACCOUNT_PURPOSE,
      invalid: invalidForm(NOT_REQUESTED),
      run: async (ctx, signedIn) => {
        const obstacle = await requestClosure(ctx, signedIn);
        if (!obstacle) return done({ to: OWN_DATA_PATH, flash: { kind: "success", ...CLOSURE_REQUESTED } });
        const { code, organizations } = obstacle;
        return conflict({ title: NOT_REQUESTED, errors: { form: closureObstacle(code, organizations) }, values: {} });
      },
    },
    keep: {
      purpose: ACCOUNT_PURPOSE,
      invalid: invalidForm("It was not taken back"),
      run: async (ctx, signedIn) => {
        await withdrawClosure(ctx, signedIn);
        return done({ to: OWN_DATA_PATH, flash: { kind: "success", ...CLOSURE_WITHDRAWN } });
      },
    },
  },
);
