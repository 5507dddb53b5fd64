import type { Statement } from "~/db/client.server";
import type { AccountMailData } from "~/features/mail/account-mail-data";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { MailData } from "~/features/mail/model";
import type { Ctx } from "~/platform/context.server";
import { prepareLink } from "./mail-links.server";

/** Names the kinds of mail with the link "This wasn't me". */
type SecurityMailKind = {
  [Kind in keyof AccountMailData]: AccountMailData[Kind] extends { notMePath: string } ? Kind : never;
}[keyof AccountMailData];

type Owner = { userId: string; email: string };

/**
 * Returns the statements of a mail that tells a person about a change of their account, with a link that ends all their
 * sessions. They belong in the batch of the change; the caller then delivers the outbox.
 */
export function securityMail<Kind extends SecurityMailKind>(
  ctx: Ctx,
  owner: Owner,
  kind: Kind,
  data: Omit<AccountMailData[Kind], "notMePath">,
): Statement[] {
  const link = prepareLink(ctx, "not_me", owner);
  const complete = { ...data, notMePath: link.path } as unknown as MailData[Kind];
  return [
    ...link.statements,
    enqueueMail(ctx, kind, { to: owner.email, about: { type: "user", id: owner.userId }, data: complete }),
  ];
}
