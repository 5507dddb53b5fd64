import { and, eq, type SQL, sql } from "drizzle-orm";
import { claimKey, commit, expectChange, expectThat, findClaim, type Statement } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/mfa";
import { organizationMemberships } from "~/db/schema/organizations";
import { capturedMails, outbox } from "~/db/schema/outbox";
import { personErasures } from "~/db/schema/privacy";
import { authTokens, sessions } from "~/db/schema/sessions";
import { ticketCopies } from "~/db/schema/ticket-copies";
import { deleteOrphans } from "~/features/attachments/erase-attachments.server";
import { listKeysOf } from "~/features/attachments/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { removePendingMemberships } from "~/features/invitations/remove-target.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { eraseMail, eraseMails } from "~/features/mail/erase-mail.server";
import { recipientHash } from "~/features/mail/params.server";
import { eraseTexts } from "~/features/subjects/erase-subjects.server";
import { isTrue } from "~/features/subjects/legal-hold.server";
import { isActiveAdmin, isOtherAdmin } from "~/features/user-management/admin-guards.server";
import { isNoSoleOwner } from "~/features/user-management/person/queries.server";
import { nameColumns } from "~/features/users/name-columns";
import { mailboxOf } from "~/lib/email";
import { FORMER_MEMBER } from "~/lib/person-name";
import { fail, ok, type Result } from "~/lib/result";
import { disconnectUser } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import type { EraseError, Person } from "../model";
import { findClosureRequest, findPerson } from "../queries.server";
import { eraseRestOfPeople } from "./erase-rest.server";
import { eraseSubmissions } from "./erase-submissions.server";
import { isPersonHeld } from "./held-person.server";
import { NAME_PLACES } from "./name-places";

const CLOSED = { state: "closed", reason: null } as const;

/** Limits the submissions that are deleted in one batch; the job that erases the rest deletes further ones. */
export const SUBMISSIONS_AT_ONCE = 100;

/** Returns the condition of stored mails to an address that have not left, or perhaps not, over `outbox`. */
export const isQueuedFor = (ctx: Pick<Ctx, "config">, email: string): SQL =>
  sql`${outbox.status} IN ('pending', 'sending', 'uncertain') AND ${outbox.to_hash} = ${recipientHash(ctx, email)}
    AND ${outbox.params_enc} IS NOT NULL`;

/** Returns the condition that an account is no administrator, or not the last one. */
export const isNotLastAdmin = (userId: string): SQL =>
  sql`(${isOtherAdmin(userId)} OR NOT EXISTS (SELECT 1 FROM user_roles WHERE user_id = ${userId} AND role = 'admin'))`;

/**
 * Erases a person: access, address and name go in one batch with the submissions they have sent and the mails that wait
 * for them. Their name in what they have written follows after the response, or by the job `erase-people`.
 */
export async function erasePerson(
  ctx: Ctx,
  actor: StaffActor,
  { personId, nonce }: { personId: string; nonce: string },
): Promise<Result<null, EraseError>> {
  const { db } = ctx;
  const isRepeated = async () => (await findClaim(db, nonce, "erase-person")) !== null;
  const person = await findPerson(db, personId);
  if (!person) return (await isRepeated()) ? ok(null) : fail("person_not_found");
  const { userId, name, email } = person;
  if (userId === actor.userId) return fail("own_account");
  const submissions = sql`SELECT id FROM contact_submissions WHERE email = ${email} LIMIT ${SUBMISSIONS_AT_ONCE}`;
  const ids = JSON.stringify((await db.all<{ id: string }>(submissions)).map(({ id }) => id));
  const hasAsked = userId !== null && (await findClosureRequest(db, userId)) !== null;
  const keys = await listKeysOf(db, "submission", sql`SELECT value FROM json_each(${ids})`);
  const written = await commit(db, [
    ...claimKey(db, { key: nonce, scope: "erase-person", resultLocation: personId, at: ctx.now() }),
    expectThat(db, isActiveAdmin(actor.userId)),
    expectThat(db, sql`NOT ${isPersonHeld(person)}`),
    recordAudit(ctx, "user.erased", { subject: { type: "user", id: userId, label: null } }),
    ...eraseSubmissions(ctx, ids),
    eraseMails(db, sql`SELECT id FROM outbox WHERE ${isQueuedFor(ctx, email)}`),
    db.delete(capturedMails).where(eq(capturedMails.to, email)),
    db.delete(ticketCopies).where(sql`email = ${email} OR stopped_mailbox = ${mailboxOf(email)}`),
    ...removePendingMemberships(ctx, sql`invited_email = ${email}`),
    ...(userId ? eraseAccount(ctx, { ...person, userId }) : []),
    ...(hasAsked ? [enqueueMail(ctx, "account-closure", { to: email, about: null, data: CLOSED })] : []),
    db.insert(personErasures).values({
      user_id: userId ?? personId,
      name,
      email,
      requested_at: ctx.now(),
      // Nobody without an account has written anything here but submissions.
      step: userId ? 0 : NAME_PLACES.length,
    }),
  ]);
  if (!written) return (await isRepeated()) ? ok(null) : fail(await reasonOf(ctx, person));
  if (userId) disconnectUser(ctx, userId);
  ctx.after(deleteOrphans(ctx, keys));
  ctx.after(eraseRestOfPeople(ctx));
  return ok(null);
}

/**
 * Returns the statements that take an account its access, its address and its name. The row stays until nothing refers
 * to it: by it the job finds what the person has written.
 */
function eraseAccount(ctx: Pick<Ctx, "db" | "now">, { userId, email }: Person & { userId: string }): Statement[] {
  const { db } = ctx;
  return [
    expectThat(db, isNotLastAdmin(userId)),
    expectThat(db, isNoSoleOwner(userId)),
    db
      .update(users)
      .set({
        email: `${userId}@erased.invalid`,
        ...nameColumns(FORMER_MEMBER),
        status: "deactivated",
        password_hash: null,
        pending_email: null,
        closure_requested_at: null,
        auth_epoch: sql`${users.auth_epoch} + 1`,
        updated_at: ctx.now(),
      })
      .where(and(eq(users.id, userId), eq(users.email, email))),
    expectChange(db),
    ...[sessions, authTokens, userMfaSettings, mfaEnrollments, mfaBackupCodes, userRoles, organizationMemberships].map(
      (table) => db.delete(table).where(eq(table.user_id, userId)),
    ),
    ...eraseTexts(db, "user", sql`SELECT ${userId}`),
    // Those to administrators, and to an address that was not confirmed.
    eraseMail(db, "user", sql`SELECT ${userId}`),
  ];
}

async function reasonOf({ db }: Pick<Ctx, "db">, person: Person): Promise<EraseError> {
  const { userId } = person;
  if (await isTrue(db, isPersonHeld(person))) return "on_hold";
  if (userId && !(await isTrue(db, isNotLastAdmin(userId)))) return "last_admin";
  if (userId && !(await isTrue(db, isNoSoleOwner(userId)))) return "sole_owner";
  return "denied";
}
