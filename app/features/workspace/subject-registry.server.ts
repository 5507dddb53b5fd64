import { listSendableLetters } from "~/features/letters/queries.server";
import { listSendableStaffMails } from "~/features/notifications/preferences.server";
import { findOrganizationSubjects, organizationExists } from "~/features/organizations/queries.server";
import { composeSubmissionMails, listSendableSubmissionMails } from "~/features/submissions/mails.server";
import { findSubmissionSubjects, submissionExists } from "~/features/submissions/queries.server";
import { composeTicketMails } from "~/features/tickets/mails/compose-mails.server";
import { listSendableTicketMails } from "~/features/tickets/mails/read-mails.server";
import { findTicketSubjects, ticketExists } from "~/features/tickets/queries.server";
import { findUserSubjects, userExists } from "~/features/users/queries.server";
import type { SubjectRegistry } from "~/platform/subjects.server";
import { SUBJECT_KINDS } from "./model";

export const SUBJECT_REGISTRY: SubjectRegistry = {
  submission: {
    ...SUBJECT_KINDS.submission,
    find: findSubmissionSubjects,
    exists: submissionExists,
    composeMails: composeSubmissionMails,
    listSendable: listSendableSubmissionMails,
  },
  user: { ...SUBJECT_KINDS.user, find: findUserSubjects, exists: userExists, listSendable: listSendableStaffMails },
  organization: {
    ...SUBJECT_KINDS.organization,
    find: findOrganizationSubjects,
    exists: organizationExists,
    listSendable: listSendableLetters,
  },
  ticket: {
    ...SUBJECT_KINDS.ticket,
    find: findTicketSubjects,
    exists: ticketExists,
    composeMails: composeTicketMails,
    listSendable: listSendableTicketMails,
  },
};
