import { and, eq, type SQL, sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { disconnectUser } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import type { ProvenPerson } from "./model";
import { prepareSession } from "./sessions/start-session.server";

type CredentialChange = {
  /** Uses up what allows the change: a link, a code, a challenge. First in the batch. */
  uses?: readonly Statement[];
  /** Columns of the account that change along with its epoch. */
  account?: Partial<typeof users.$inferInsert>;
  /** What else must still hold of the account. */
  condition?: SQL;
  /** Everything else that changes with it. */
  changes?: readonly Statement[];
  /** The session with which this browser goes on; null: this browser is signed out like all others. */
  session: { person: ProvenPerson; aal: 1 | 2; isRenewal: boolean } | null;
  /** What is recorded of it. */
  audit: readonly Statement[];
  /** What the owner of the account is told. */
  mail?: readonly Statement[];
};

/**
 * Changes what proves a person: password, second factor, e-mail address, or who may still be signed in with them. One
 * batch raises the epoch of the account, which ends every session at once, and starts a new session for this browser
 * where one is wanted. Afterwards the person's sockets are closed and the mail leaves.
 *
 * Returns false, with nothing written, when the account has changed since it was read or what allows the change is used
 * up. Throws when the database refuses the batch, for example for an address that is taken.
 */
export async function changeCredentials(
  ctx: Ctx,
  { userId, epoch }: { userId: string; epoch: number },
  { uses = [], account = {}, condition, changes = [], session, audit, mail = [] }: CredentialChange,
): Promise<boolean> {
  const renewed = session
    ? prepareSession(ctx, { ...session.person, epoch: epoch + 1 }, { aal: session.aal, isRenewal: session.isRenewal })
    : null;
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
