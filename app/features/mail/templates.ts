import type { MailContent, MailData, MailKind, Template, TemplateContext } from "./model";
import { accessMails } from "./templates/access-mails";
import { accountMails } from "./templates/account-mails";
import { dailySummary } from "./templates/daily-summary";
import { invitationMails } from "./templates/invitation-mails";
import { letterMail } from "./templates/letter";
import { membershipChanged } from "./templates/membership-changed";
import { submissionNotice } from "./templates/submission-notice";
import { submissionReceived } from "./templates/submission-received";
import { submissionReply } from "./templates/submission-reply";
import { submissionUpdate } from "./templates/submission-update";
import { submissionsOverCap } from "./templates/submissions-over-cap";
import { ticketMails } from "./templates/ticket-mails";

/** Holds the template of every mail the product sends, by kind. */
const TEMPLATES: { [Kind in MailKind]: Template<Kind> } = {
  "submission-received": submissionReceived,
  "submission-notice": submissionNotice,
  "submission-update": submissionUpdate,
  "submission-reply": submissionReply,
  "submissions-over-cap": submissionsOverCap,
  "daily-summary": dailySummary,
  letter: letterMail,
  ...accountMails,
  "membership-changed": membershipChanged,
  ...accessMails,
  ...invitationMails,
  ...ticketMails,
};

/**
 * Turns what was stored into a mail. Pure: the same data always give the same mail, which a repeated send relies on.
 */
export const renderMail = <Kind extends MailKind>(
  kind: Kind,
  data: MailData[Kind],
  context: TemplateContext,
): MailContent => TEMPLATES[kind](data, context);
