import { type SQL, sql } from "drizzle-orm";
import type { Audience } from "~/access/live-events";
import type { Statement } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import type { LiveEventType, SubjectType } from "~/lib/subject";
import type { Ctx } from "./context.server";

type LiveEvent = {
  audience: Audience;
  type: LiveEventType;
  /** An expression, as for the label; '' stands for null. */
  subject: { type: SubjectType; id: string | SQL | null };
  /** Everyone in the audience sees it: no secrets and no messages. An expression, where only the batch decides. */
  label: string | SQL;
  onlyIf?: SQL;
};

const MAX_LABEL = 120;

/** In the batch of the change. After the commit: `ctx.after(ctx.live.notify(audience))`. Not for the actor. */
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
