import type { Instant } from "~/lib/time";
import type { AuditAction, AuditActor, AuditSubject } from "./model";
import { auditSearchText } from "./search-text";

type AuditEvent = {
  at: Instant;
  actor: AuditActor;
  action: AuditAction;
  subject: AuditSubject;
  meta?: Record<string, unknown>;
};

/** Returns the columns that say who did what to which subject, and by which words the event is found. */
export const auditColumns = ({ at, actor, action, subject, meta }: AuditEvent) => ({
  at,
  actor_id: actor.id,
  actor_role: actor.role,
  actor_name: actor.name,
  actor_email: actor.email,
  action,
  subject_type: subject.type,
  subject_id: subject.id,
  subject_label: subject.label,
  meta_json: meta ? JSON.stringify(meta) : null,
  search_text: auditSearchText({ action, label: subject.label, meta: meta ?? {}, actor }),
});
