import { claimKey, commit, expectThat, findClaim } from "~/db/client.server";
import { purges } from "~/db/schema/privacy";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isActiveAdmin } from "~/features/user-management/admin-guards.server";
import { fail, ok, type Result } from "~/lib/result";
import { days as daysOf } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { countOnHold } from "../expired-submissions.server";
import { previewDeletion } from "../preview-deletion.server";
import { continuePurges } from "./continue-purges.server";
import { type Counted, numberShown } from "./model";

type Request = {
  /** Limits the purge to submissions without activity for so many days. */
  days: number;
  /** Counts the submissions of which its author has read that they would go: see `numberShown`. */
  counted: number;
  nonce: string;
};

type Rejection =
  | { ok: false; code: "nothing_to_purge" | "denied" }
  /** Tells that more would go than its author has read. */
  | ({ ok: false; code: "more_than_shown" } & Counted);

/**
 * Records that submissions are to be purged, which happens after the response and by the job `purge-submissions`. What
 * becomes old enough after this moment stays. The same form posted twice is one purge.
 */
export async function requestPurge(
  ctx: Ctx,
  actor: StaffActor,
  { days, counted, nonce }: Request,
): Promise<Result<null, never> | Rejection> {
  const { db } = ctx;
  const at = ctx.now();
  const isRepeated = async () => (await findClaim(db, nonce, SCOPE)) !== null;
  if (await isRepeated()) return ok(null);
  const quietSince = at - daysOf(days);
  const { count, isMore } = await previewDeletion(db, quietSince);
  if (count === 0) return { ok: false, code: "nothing_to_purge" };
  if (numberShown({ count, isMore }) > counted) return { ok: false, code: "more_than_shown", count, isMore };
  const id = ctx.newId("prg");
  const written = await commit(db, [
    ...claimKey(db, { key: nonce, scope: SCOPE, resultLocation: id, at }),
    expectThat(db, isActiveAdmin(actor.userId)),
    db.insert(purges).values({ id, quiet_since: quietSince, requested_at: at, on_hold: countOnHold(quietSince) }),
    recordAudit(ctx, "submission.purge_requested", {
      subject: { type: "submission", id: null, label: null },
      meta: { count, isMore, days },
    }),
  ]);
  if (!written) return (await isRepeated()) ? ok(null) : fail("denied");
  ctx.after(continuePurges(ctx));
  return ok(null);
}

const SCOPE = "purge-submissions";
