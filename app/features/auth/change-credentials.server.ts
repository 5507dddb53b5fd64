import { and, eq, type SQL, sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { Instant } from "~/lib/time";
import { disconnectUser } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import type { ProvenPerson } from "./model";
import { prepareSession } from "./sessions/start-session.server";

export type CredentialChange = {
  /** Holds the statements that use up what allows the change: a link, a code, a challenge. First in the batch. */
  uses?: readonly Statement[];
  /** Holds the columns of the account that change along with its epoch. */
  account?: Partial<typeof users.$inferInsert>;
  /** Holds a further condition on the account. */
  condition?: SQL;
  /** Holds the statements of other changes in the same batch. */
  changes?: readonly Statement[];
  /** Holds the new session of this browser; null: this browser is signed out like all others. */
  session: { person: ProvenPerson; aal: 1 | 2; isRenewal: boolean; provedAt?: Instant } | null;
  /** Holds the audit entries of the change. */
  audit: readonly Statement[];
  /** Holds the mails to the owner of the account. */
  mail?: readonly Statement[];
};

/**
 * Changes the credentials of an account (password, second factor, e-mail address) or only ends its sessions. One batch
 * increments the epoch of the account, which ends every session at once, and starts a new session for this browser
 * where `session` is given. After the commit the person's sockets are closed and the mail is sent.
 *
 * Returns false, with nothing written, when the account has changed since it was read, or when what allows the change
 * has been consumed already. Throws when the database rejects the batch, for example because an address is taken.
 */
export async function changeCredentials(
  ctx: Ctx,
  { userId, epoch }: { userId: string; epoch: number },
  { uses = [], account = {}, condition, changes = [], session, audit, mail = [] }: CredentialChange,
): Promise<boolean> {
  const renewed = session ? prepareSession(ctx, { ...session.person, epoch: epoch + 1 }, session) : null;
  const written = await commit(ctx.db, [
    ...uses,
    ctx.db
      .update(users)
      .set({ ...account, auth_epoch: sql`${users.auth_epoch} + 1`, updated_at: ctx.now() })
      .where(and(eq(users.id, userId), eq(users.auth_epoch, epoch), eq(users.status, "active"), condition)),
    expectChange(ctx.db),
    ...changes,
    ...(renewed?.statements ?? []),
    ...audit,
    ...mail,
  ]);
  if (!written) return false;
  renewed?.onCommitted();
  disconnectUser(ctx, userId);
  if (mail.length > 0) ctx.after(deliverOutbox(ctx));
  return true;
}
