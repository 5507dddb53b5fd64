import { commit } from "~/db/client.server";
import { emailHash } from "~/features/auth/email-hash.server";
import { prepareLink } from "~/features/auth/mail-links.server";
import { minimumResponseTime, type Wait } from "~/features/auth/passwords/minimum-response-time.server";
import { findAccountByEmail } from "~/features/auth/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limit.server";

type ResetRequest = { ok: true } | { ok: false; retryAt: Instant };

/**
 * Queues the mail with the reset link, if the address has an active account. The response has the same text, status and
 * time for every address, also after too many mails to it. Only a rate-limited network is told to wait. Only mails
 * count for a mailbox: whoever asks for spellings of it that have no account must not keep its owner from a link.
 */
export async function requestPasswordReset(ctx: Ctx, email: string, wait?: Wait): Promise<ResetRequest> {
  const startedAt = ctx.now();
  const network = await takeLimit(ctx.db, "reset_ip", ctx.request.network, startedAt);
  if (!network.allowed) return { ok: false, retryAt: network.retryAt };
  const account = await findAccountByEmail(ctx.db, email);
  if (account?.status === "active" && (await mayMail(ctx, email))) {
    const link = prepareLink(ctx, "reset", account);
    await commit(ctx.db, [
      ...link.statements,
      enqueueMail(ctx, "password-reset", { to: account.email, about: userSubject(account), data: { path: link.path } }),
    ]);
    ctx.after(deliverOutbox(ctx));
  }
  await minimumResponseTime(ctx, startedAt, wait);
  return { ok: true };
}

const mayMail = async (ctx: Pick<Ctx, "config" | "db" | "now">, email: string): Promise<boolean> =>
  (await takeLimit(ctx.db, "reset_addr", emailHash(ctx, email), ctx.now())).allowed;
