import type { Statement } from "~/db/client.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { AccountMailData, MailData } from "~/features/mail/model";
import type { Ctx } from "~/platform/context.server";
import { prepareLink } from "./mail-links.server";

/** Mails that carry the link "This wasn't me". */
type SecurityMailKind = {
  [Kind in keyof AccountMailData]: AccountMailData[Kind] extends { notMePath: string } ? Kind : never;
}[keyof AccountMailData];

type Owner = { userId: string; email: string };

/**
 * The statements that tell somebody what has happened to their account, with a link that ends all sessions. They belong
 * into the batch of the change; afterwards the outbox is drained as for every mail.
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
