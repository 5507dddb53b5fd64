import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import type { SubmissionCounts } from "~/features/submissions/model";
import { countSubmissions } from "~/features/submissions/queries.server";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import type { Ctx } from "~/platform/context.server";
import { adminNavigation } from "./navigation";
import { readOrNull } from "./read-or-null.server";
import type { NavigationEntry } from "./ui/workspace-frame";

/** The entries a person may open, with what waits behind them. Without the counts the ways still lead on. */
export async function navigationEntries(ctx: Ctx, actor: StaffActor): Promise<NavigationEntry[]> {
  const counts = await readOrNull(ctx, "navigation_counts_failed", countSubmissions(ctx.db));
  return adminNavigation
    .filter((item) => can(actor, item.ability))
    .map(({ label, path }) => ({
      label,
      path,
      badge: counts && path === SUBMISSIONS_PATH ? waiting(counts) : undefined,
    }));
}

/** What waits for an answer; and, in words, what waits for review. */
function waiting({ new: unanswered, held }: SubmissionCounts): NavigationEntry["badge"] {
  if (unanswered === 0 && held === 0) return undefined;
  return { count: unanswered, of: held > 0 ? `new, ${held.toLocaleString("en-US")} held` : "new" };
}
