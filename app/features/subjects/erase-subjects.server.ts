import type { SQL } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { eraseAttachments } from "~/features/attachments/erase-attachments.server";
import { eraseAuditLabels } from "~/features/audit/record-audit.server";
import { eraseMail } from "~/features/mail/erase-mail.server";
import { eraseNotes } from "~/features/notes/queries.server";
import { eraseNotifications } from "~/features/notifications/erase-notifications.server";
import type { SubjectType } from "~/lib/subject";
import { eraseLiveEvents } from "~/platform/erase-live-events.server";
import { eraseHolds } from "./legal-hold.server";

/**
 * Returns the statements that erase what was written about subjects: notes, live events, notifications, holds that were
 * lifted, and their names in the audit events, which stay. `ids`: a query for ids.
 */
export const eraseTexts = (db: Db, type: SubjectType, ids: SQL): Statement[] => [
  eraseNotes(db, type, ids),
  eraseLiveEvents(db, type, ids),
  ...eraseNotifications(db, type, ids),
  eraseAuditLabels(db, type, ids),
  eraseHolds(db, type, ids),
];

/**
 * Returns the statements that erase everything about subjects: what `eraseTexts` does, files and unsent mails. They
 * belong in the batch that deletes the subjects; for a subject with very many files and mails see `erase-rest`. A
 * feature that starts to store something about subjects adds its statement here. `ids`: a query for ids.
 */
export const eraseSubjects = (db: Db, type: SubjectType, ids: SQL): Statement[] => [
  ...eraseTexts(db, type, ids),
  eraseAttachments(db, type, ids),
  eraseMail(db, type, ids),
];
