import type { AuditAction } from "./model";

/** Actions in words, as in "Avery Quinn signed in". */
export const ACTION_WORDS: Record<AuditAction, string> = {
  "session.started": "signed in",
  "session.ended": "signed out",
  "session.refused": "was refused at sign-in",
  "submission.received": "sent a contact request",
  "submission.status_changed": "changed the status of a contact request",
  "submission.file_downloaded": "downloaded a file of a contact request",
};
