import type { Audience } from "~/access/live-events";
import type { Statement } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import type { LiveEventType } from "~/lib/live-event-types";
import type { SubjectType } from "~/lib/subject";
import type { Ctx } from "./context.server";

type LiveEvent = {
  audience: Audience;
  type: LiveEventType;
  /** What the event is about. `id` null: it tells of many at once. */
  subject: { type: SubjectType; id: string | null };
  /**
   * Names the subject in a few words, such as "Priya Raman" or "Priya Raman: Contacted". Everyone in the audience sees
   * it, so nothing secret and nothing anybody has written at length. Cut after 120 characters.
   */
  label: string;
};

const MAX_LABEL = 120;

/**
 * Tells open screens that something has happened: a statement for the batch of the change itself, so that an event
 * exists exactly when the change does. After the commit the hub is told to look: `ctx.after(ctx.live.notify(audience))`.
 * Whoever is signed in counts as the one who did it, and does not hear about it.
 */
export function recordLiveEvent(ctx: Ctx, { audience, type, subject, label }: LiveEvent): Statement {
  return ctx.db.insert(liveEvents).values({
    audience,
    type,
    subject_type: subject.type,
    subject_id: subject.id ?? "",
    label: [...label.replace(/\s+/g, " ").trim()].slice(0, MAX_LABEL).join(""),
    actor_id: ctx.signedIn?.userId ?? null,
    at: ctx.now(),
  });
}
