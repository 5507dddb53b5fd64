import { sql } from "drizzle-orm";
import type { PlatformRole } from "~/access/model";
import { claimChoice, commit, expectThat, findChoice } from "~/db/client.server";
import { userRoles } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import { disconnectUser } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import { isActiveAdmin, isOtherAdmin } from "./admin-guards.server";
import type { RoleError } from "./copy";
import { findAccountState, hasOtherAdmin } from "./queries.server";

const SCOPE = "user-role";

type Change = { userId: string; role: PlatformRole; nonce: string };

/**
 * Gives a person another role, in one batch with the end of all their sessions: a trigger of `user_roles` increases the
 * epoch of the account. Nobody changes their own role, and whoever changes another's must still be an administrator
 * when the batch runs. A role that the person has already changes nothing.
 */
export async function changeUserRole(
  ctx: Ctx,
  actor: StaffActor,
  { userId, role, nonce }: Change,
): Promise<Result<{ changed: boolean }, RoleError>> {
  if (userId === actor.userId) return fail((await hasOtherAdmin(ctx.db, userId)) ? "own_role" : "last_admin");
  const person = await findAccountState(ctx.db, userId);
  if (!person || person.status === "unverified") return fail("user_not_found");
  if (person.role === role) return ok({ changed: false });

  const subject = userSubject({ userId, fullName: person.name });
  const key = `${nonce}:${userId}`;
  const written = await commit(ctx.db, [
    ...claimChoice(ctx.db, { key, scope: SCOPE, choice: role, at: ctx.now() }),
    expectThat(ctx.db, isActiveAdmin(actor.userId)),
    expectThat(ctx.db, sql`${role} = 'admin' OR ${isOtherAdmin(userId)}`),
    // As it was read: the event says what the role was before.
    expectThat(ctx.db, sql`coalesce((SELECT role FROM user_roles WHERE user_id = ${userId}), 'user') = ${person.role}`),
    ctx.db
      .insert(userRoles)
      .values({ user_id: userId, role })
      .onConflictDoUpdate({ target: userRoles.user_id, set: { role } }),
    recordAudit(ctx, "user.role_changed", { subject, meta: { from: person.role, to: role } }),
    // Who was only invited, or has no access, has nothing to be told yet.
    ...(person.status === "active"
      ? [enqueueMail(ctx, "role-changed", { to: person.email, about: subject, data: { role } })]
      : []),
  ]);
  if (!written) return whyNot(ctx, { userId, role, key });
  disconnectUser(ctx, userId);
  ctx.after(deliverOutbox(ctx));
  return ok({ changed: true });
}

/** Tells why nothing was written: somebody else was faster, or has changed since what the same form did before. */
async function whyNot(
  { db }: Pick<Ctx, "db">,
  { userId, role, key }: Pick<Change, "userId" | "role"> & { key: string },
): Promise<Result<{ changed: boolean }, RoleError>> {
  const [person, isLast, chosen] = await Promise.all([
    findAccountState(db, userId),
    hasOtherAdmin(db, userId).then((is) => !is),
    findChoice(db, key, SCOPE),
  ]);
  if (!person) return fail("user_not_found");
  if (person.role === role) return ok({ changed: true });
  if (chosen === role) return fail("changed_since");
  return fail(isLast && person.role === "admin" ? "last_admin" : "denied");
}
