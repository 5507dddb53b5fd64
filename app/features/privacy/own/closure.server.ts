import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { isTrue } from "~/features/subjects/legal-hold.server";
import { isActiveAdmin } from "~/features/user-management/admin-guards.server";
import {
  isNoSoleOwner,
  listAdminAddresses,
  listSoleOwnerships,
} from "~/features/user-management/person/queries.server";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { NotNow } from "~/platform/not-now.server";
import { takeLimitOfPeriod } from "~/platform/rate-limit.server";
import { askedTooOften } from "../copy";
import { personPath } from "../model";
import { isNotLastAdmin } from "../person/erase-person.server";
import { findClosureRequest, findPerson } from "../queries.server";

type ClosureObstacle = { code: "sole_owner" | "last_admin"; organizations: string[] };

/** Returns why an account cannot be closed yet; null: it can. */
export async function findObstacle({ db }: Pick<Ctx, "db">, userId: string): Promise<ClosureObstacle | null> {
  const [organizations, isFree] = await Promise.all([
    listSoleOwnerships(db, userId),
    isTrue(db, isNotLastAdmin(userId)),
  ]);
  if (organizations.length > 0) return { code: "sole_owner", organizations };
  return isFree ? null : { code: "last_admin", organizations };
}

const requested = (userId: string): SQL | undefined => and(eq(users.id, userId), isNotNull(users.closure_requested_at));

/**
 * Asks for one's own account to be closed, which staff decide about: administrators and the person get a mail. Asked
 * again it is the same request. Returns why it cannot be; null: it is asked for. Throws `NotNow` where somebody has
 * asked and taken it back too often.
 */
export async function requestClosure(ctx: Ctx, { userId, fullName, email }: SignedIn): Promise<ClosureObstacle | null> {
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

/** Takes the request back. Returns false if there is none any more. */
export async function withdrawClosure(ctx: Ctx, { userId, fullName }: SignedIn): Promise<boolean> {
  const { db } = ctx;
  return commit(db, [
    db.update(users).set({ closure_requested_at: null }).where(requested(userId)),
    expectChange(db),
    recordAudit(ctx, "user.closure_withdrawn", { subject: userSubject({ userId, fullName }) }),
  ]);
}

/** Declines somebody's request, and tells them why. */
export async function declineClosure(
  ctx: Ctx,
  actor: StaffActor,
  { personId, reason }: { personId: string; reason: string },
): Promise<Result<null, "closure_gone">> {
  const { db } = ctx;
  const person = await findPerson(db, personId);
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
