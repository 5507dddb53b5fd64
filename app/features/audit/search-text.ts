import { fold } from "~/lib/text";
import { ACTION_LABELS, detailsOf } from "./action-labels";
import type { AuditAction, AuditActor } from "./model";

type Searchable = {
  action: AuditAction;
  label: string | null;
  meta: Record<string, unknown>;
  actor: Pick<AuditActor, "name" | "email">;
};

/**
 * Returns the text that a search of the activity reads: three folded lines, namely the subject's name, what happened,
 * and who did it. The name stands first and alone, so that it can be cut off when the subject is deleted.
 */
export const auditSearchText = ({ action, label, meta, actor }: Searchable): string =>
  [label ?? "", `${ACTION_LABELS[action]} ${detailsOf(meta)}`, `${actor.name ?? ""} ${actor.email ?? ""}`]
    .map(fold)
    .join("\n");
