import type { MailContent, MailData, MailFacts, MailKind, Template } from "./model";
import { submissionNotice } from "./templates/submission-notice";
import { submissionReceived } from "./templates/submission-received";

/** Every mail the product sends, by kind. */
const TEMPLATES: { [Kind in MailKind]: Template<Kind> } = {
  "submission-received": submissionReceived,
  "submission-notice": submissionNotice,
};

/** Turns what was stored into a mail. Pure: the same data always give the same mail, which a repeated send relies on. */
export const renderMail = <Kind extends MailKind>(kind: Kind, data: MailData[Kind], facts: MailFacts): MailContent =>
  TEMPLATES[kind](data, facts);
