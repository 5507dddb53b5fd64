import type { Actor } from "~/access/model";
import type { Ability } from "~/access/policy";
import type { ActionResult } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { renderAnalytics } from "./render-analytics.server";
import { renderReport } from "./render-report.server";

type Computed = {
  ability: Ability;
  render: (ctx: Ctx, actor: SignedIn & Actor) => Promise<ActionResult<never>>;
};

/** Maps the file name in an address to a file of figures, which is no list. */
export const COMPUTED_FILES: ReadonlyMap<string, Computed> = new Map<string, Computed>([
  ["analytics.csv", { ability: "report.export", render: renderAnalytics }],
  ["report.csv", { ability: "report.export", render: (ctx, actor) => renderReport(ctx, actor, "csv") }],
  ["report.pdf", { ability: "report.export", render: (ctx, actor) => renderReport(ctx, actor, "pdf") }],
]);
