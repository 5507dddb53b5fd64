import type * as z from "zod";
import { composeMail, type MailContent, type MailDraft } from "./compose";
import { accessMails } from "./kinds/access";
import { accountMails } from "./kinds/account";
import { invitationMails } from "./kinds/invitations";
import { periodicMails } from "./kinds/periodic";
import { submissionMails } from "./kinds/submissions";
import { ticketMails } from "./kinds/tickets";
import { keysOf, type TemplateContext } from "./mail-kind";

export const MAIL_KINDS = {
  ...accountMails,
  ...accessMails,
  ...invitationMails,
  ...submissionMails,
  ...ticketMails,
  ...periodicMails,
};

export type MailKind = keyof typeof MAIL_KINDS;

export type MailData = { [Kind in MailKind]: z.infer<(typeof MAIL_KINDS)[Kind]["schema"]> };

type Template<Kind extends MailKind> = (data: MailData[Kind], context: TemplateContext) => MailDraft;

export function renderMail<Kind extends MailKind>(
  kind: Kind,
  data: MailData[Kind],
  context: TemplateContext,
): MailContent {
  const template = MAIL_KINDS[kind].template as unknown as Template<Kind>;
  return composeMail(context.site, template(data, context));
}

/** A newer version of the product may have queued others. */
export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(MAIL_KINDS, kind);

/** What happens to urgent tickets leaves early, too, but is no security mail: only the kind tells. */
export const isSecurityMail = (kind: string): boolean => isMailKind(kind) && MAIL_KINDS[kind].priority === 0;

export const SECURITY_MAIL: readonly string[] = keysOf(MAIL_KINDS).filter(isSecurityMail);
