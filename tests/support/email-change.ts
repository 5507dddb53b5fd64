import { eq } from "drizzle-orm";
import { authTokens } from "~/db/schema/sessions";
import { requestEmailChange } from "~/features/account/change-email.server";
import type { OpenLink } from "~/features/auth/mail-links.server";
import { findAccount } from "~/features/auth/queries.server";
import { hashToken } from "~/platform/crypto.server";
import type { TestContext } from "./context";
import { as, type Person } from "./factories";
import { linkIn, mailsTo, tokenIn } from "./mails";

/** Asks to change a person's address. Returns false if that is rejected. */
export async function requestChange(ctx: TestContext, person: Person, email: string): Promise<boolean> {
  const account = await findAccount(ctx.db, person.id);
  if (!account) throw new Error("no account");
  return (await requestEmailChange(as(ctx, person), { account, email, with: [] })).ok;
}

/** Returns the link in the newest mail to an address whose subject matches. */
export async function emailChangeLink(ctx: TestContext, address: string, subject: RegExp): Promise<OpenLink> {
  const mail = (await mailsTo(ctx, address)).filter((candidate) => subject.test(candidate.subject)).at(-1);
  const tokenHash = hashToken(tokenIn(linkIn(mail, "/email-change")));
  const [row] = await ctx.db.select().from(authTokens).where(eq(authTokens.id_hash, tokenHash));
  return { userId: row?.user_id ?? "", email: row?.email ?? "", tokenHash };
}
