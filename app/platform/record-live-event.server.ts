import { type SQL, sql } from "drizzle-orm";
import type { Audience } from "~/access/live-events";
import type { Statement } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import type { LiveEventType } from "~/lib/live-event-types";
import type { SubjectType } from "~/lib/subject";
import type { Ctx } from "./context.server";

type LiveEvent = {
  audience: Audience;
  type: LiveEventType;
  /**
   * Names the subject; `id` null: the event is about several of this type. An expression, as for the label; '' stands
   * for null.
   */
  subject: { type: SubjectType; id: string | SQL | null };
  /**
   * Holds a short text such as "Priya Raman" or "Priya Raman: Contacted". Everyone in the audience sees it, so it
   * must contain no secrets and no messages. Cut after 120 characters. An expression, for what only the batch itself
   * decides.
   */
  label: string | SQL;
  /** Holds the condition under which the event is stored. Missing: always, with the batch. */
  onlyIf?: SQL;
};

const MAX_LABEL = 120;

/**
 * Returns the statement that stores an event for open pages, for the batch of the change, so that the event exists
 * exactly when the change does. After the commit, notify the hub: `ctx.after(ctx.live.notify(audience))`. The signed-in
 * person is the actor and does not receive the event.
 */
export function recordLiveEvent(
  ctx: Pick<Ctx, "db" | "now" | "signedIn">,
  { audience, type, subject, label, onlyIf = sql`true` }: LiveEvent,
): Statement {
  const short =
    typeof label === "string"
      ? [...label.replace(/\s+/g, " ").trim()].slice(0, MAX_LABEL).join("")
      : sql`substr(${label}, 1, ${MAX_LABEL})`;
  // Every column in its order, as an insert from a query has them; `seq` is given by the table.
  return ctx.db.insert(liveEvents).select(sql`
    SELECT NULL, ${audience}, ${type}, ${subject.type}, ${subject.id ?? ""}, ${short},
      ${ctx.signedIn?.userId ?? null}, ${ctx.now()}
    WHERE ${onlyIf}`);
}
