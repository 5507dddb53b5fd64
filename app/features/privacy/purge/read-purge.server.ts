import type { StaffActor } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { getSettings } from "~/features/settings/queries.server";
import { days as daysOf } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { previewDeletion, previewRemains } from "../preview-deletion.server";
import { listPurges } from "./continue-purges.server";
import { parseDays } from "./forms.server";
import type { PurgePreview } from "./model";

/** Reads what the page of purges shows: what would go under the days of its address, and the last purges. */
export async function readPurgePage(ctx: Ctx, actor: StaffActor) {
  const text = ctx.request.url.searchParams.get("days");
  const asked = parseDays(text);
  const [preview, purges, { timeZone: zone, retention }] = await Promise.all([
    asked && "days" in asked ? readPreview(ctx, asked.days) : null,
    listPurges(ctx.db),
    getSettings(ctx.db),
  ]);
  return {
    days: text ?? String(retention.days),
    daysError: asked && "error" in asked ? asked.error : null,
    preview,
    purges,
    zone,
    identity: identityRequest(ctx, actor),
  };
}

async function readPreview({ db, now }: Ctx, days: number): Promise<PurgePreview> {
  const quietSince = now() - daysOf(days);
  const [counted, remains] = await Promise.all([previewDeletion(db, quietSince), previewRemains(db, quietSince)]);
  return { days, ...counted, ...remains };
}
