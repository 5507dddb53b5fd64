import { HELD_WORDS } from "~/lib/held-reason";
import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { actionWords, detailWords } from "./labels";
import type { AuditAction, AuditActor, AuditSubject } from "./model";

type Searchable = {
  action: string;
  label: string | null;
  meta: Record<string, unknown>;
  actor: Pick<AuditActor, "name" | "email">;
};

/**
 * Three folded lines: the subject's name, who did what, and what else is known. The name stands alone, so that it can
 * be cut off when the subject is deleted.
 */
export function auditSearchText({ action, label, meta, actor }: Searchable): string {
  const words = actionWords({ action, meta, actorName: actor.name });
  return [label ?? "", `${actor.name ?? ""} ${words}`, `${detailWords({ action, meta })} ${actor.email ?? ""}`]
    .map(fold)
    .join("\n");
}

/** Folded, as JSON: for events that a query writes. */
export const HELD_DETAILS = JSON.stringify(
  Object.fromEntries(
    Object.keys(HELD_WORDS).map((held) => [held, fold(detailWords({ action: "submission.released", meta: { held } }))]),
  ),
);

type AuditEvent = {
  at: Instant;
  actor: AuditActor;
  action: AuditAction;
  subject: AuditSubject;
  meta?: Record<string, unknown>;
};

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
