import { HELD_WORDS } from "~/lib/held-reason";
import { fold } from "~/lib/text";
import { actionWords, detailWords } from "./event-words";
import type { AuditActor } from "./model";

type Searchable = {
  action: string;
  label: string | null;
  meta: Record<string, unknown>;
  actor: Pick<AuditActor, "name" | "email">;
};

/**
 * Returns the text that a search of the activity reads: three folded lines, namely the subject's name, who did what,
 * and what else is known with the actor's address. The name stands first and alone, so that it can be cut off when the
 * subject is deleted.
 */
export function auditSearchText({ action, label, meta, actor }: Searchable): string {
  const words = actionWords({ action, meta, actorName: actor.name });
  return [label ?? "", `${actor.name ?? ""} ${words}`, `${detailWords({ action, meta })} ${actor.email ?? ""}`]
    .map(fold)
    .join("\n");
}

/** Maps why a submission was held to the details of its event, folded, as JSON: for events that a query writes. */
export const HELD_DETAILS = JSON.stringify(
  Object.fromEntries(
    Object.keys(HELD_WORDS).map((held) => [held, fold(detailWords({ action: "submission.released", meta: { held } }))]),
  ),
);
