import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import type { SubmissionCounts } from "~/features/submissions/model";
import { countSubmissions } from "~/features/submissions/queries.server";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { countOpenTickets } from "~/features/tickets/staff-list/definition.server";
import type { Ctx } from "~/platform/context.server";
import { adminNavigation } from "./navigation";
import { readOrNull } from "./read-or-null.server";
import type { NavigationEntry } from "./ui/workspace-layout";

/**
 * Returns the entries a person may open, with the counts of what waits there. A count that cannot be
 * read is missing alone, and the links still work.
 */
export async function navigationEntries(
  ctx: Pick<Ctx, "db" | "request" | "log">,
  actor: StaffActor,
): Promise<NavigationEntry[]> {
  const [submissions, openTickets] = await Promise.all([
    readOrNull(ctx, "submission_counts_failed", countSubmissions(ctx.db)),
    readOrNull(ctx, "open_tickets_not_counted", countOpenTickets(ctx.db)),
  ]);
  const badges: Partial<Record<string, NavigationEntry["badge"]>> = {
    [SUBMISSIONS_PATH]: submissions ? waiting(submissions) : undefined,
    [STAFF_TICKETS_PATH]: openTickets ? { count: openTickets, of: "open" } : undefined,
  };
  return adminNavigation
    .filter((item) => can(actor, item.ability))
    .map(({ label, path }) => ({ label, path, badge: badges[path] }));
}

/** Returns how many submissions wait for an answer and, in words, how many wait for review. */
function waiting({ new: unanswered, held }: SubmissionCounts): NavigationEntry["badge"] {
  if (unanswered === 0 && held === 0) return undefined;
  return { count: unanswered, of: held > 0 ? `new, ${held.toLocaleString("en-US")} held` : "new" };
}
