import type { MailContent, MailData, MailKind, Template, TemplateContext } from "./model";
import { accessMails, accountMails, invitationMails, membershipChanged } from "./templates/account-mails";
import {
  submissionNotice,
  submissionReceived,
  submissionReply,
  submissionsOverCap,
  submissionUpdate,
} from "./templates/submission-mails";
import { dailySummary, letterMail, ticketMails } from "./templates/ticket-mails";

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

/** Pure: the same data always give the same mail, which a repeated send relies on. */
export const renderMail = <Kind extends MailKind>(
  kind: Kind,
  data: MailData[Kind],
  context: TemplateContext,
): MailContent => TEMPLATES[kind](data, context);
