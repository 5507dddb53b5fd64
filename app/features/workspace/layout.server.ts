import { type Ability, can } from "~/access/policy";
import { ANALYTICS_PATH } from "~/features/analytics/paths";
import { activityList } from "~/features/audit/activity/definition";
import type { StaffActor } from "~/features/auth/guards.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { countUndecided } from "~/features/inbound-mail/mail-list.server";
import { MAIL_PATH } from "~/features/inbound-mail/paths";
import { LETTERS_PATH } from "~/features/letters/model";
import { findHeldAddress } from "~/features/mail/delivery-events.server";
import { memberList } from "~/features/members/definition";
import { countUnread, ownNotifications } from "~/features/notifications/queries.server";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { REPORTS_PATH } from "~/features/reports/model";
import { SECURITY_PATH } from "~/features/security/model";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { getSettings } from "~/features/settings/queries.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import type { SubmissionCounts } from "~/features/submissions/model";
import { countSubmissions } from "~/features/submissions/queries.server";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { countOpenTickets } from "~/features/tickets/staff-list/definition.server";
import { USERS_PATH } from "~/features/users/model";
import { ADMIN_HOME_PATH, FIRST_HOUR_PATH } from "~/lib/addresses";
import type { Ctx } from "~/platform/context.server";
import { takeFlash } from "~/platform/flash.server";
import { issueFormToken } from "~/platform/form-token.server";
import { LIVE_PURPOSE } from "./actions.server";
import { readOrNull } from "./load-list.server";
import type { NavigationEntry } from "./model";
import { listLiveUpdates } from "./queries.server";

/**
 * Each person is shown the entries they may open, and an entry is listed only once its page exists: no link of ours
 * leads nowhere.
 */
const adminNavigation: readonly { label: string; path: string; ability: Ability }[] = [
  { label: "The first hour", path: FIRST_HOUR_PATH, ability: "settings.change" },
  { label: "Dashboard", path: ADMIN_HOME_PATH, ability: "submission.view" },
  { label: "Organizations", path: ORGANIZATIONS_PATH, ability: "organization.view" },
  { label: "Members", path: memberList.path, ability: "member.list" },
  { label: "Tickets", path: STAFF_TICKETS_PATH, ability: "ticket.handle" },
  { label: "Submissions", path: SUBMISSIONS_PATH, ability: "submission.view" },
  { label: INBOUND_MAIL, path: MAIL_PATH, ability: "ticket.handle" },
  { label: "Users", path: USERS_PATH, ability: "user.view" },
  { label: "Analytics", path: ANALYTICS_PATH, ability: "analytics.view" },
  { label: "Activity", path: activityList.path, ability: "activity.view" },
  { label: "Security", path: SECURITY_PATH, ability: "security.view" },
  { label: "Reports", path: REPORTS_PATH, ability: "report.view" },
  { label: "Letters", path: LETTERS_PATH, ability: "letter.handle" },
  { label: "Settings", path: SETTINGS_PATH, ability: "settings.change" },
];

/** A count that cannot be read is missing alone, and the links still work. */
export async function navigationEntries(
  ctx: Pick<Ctx, "db" | "request" | "log">,
  actor: StaffActor,
): Promise<NavigationEntry[]> {
  const [submissions, openTickets, mail] = await Promise.all([
    readOrNull(ctx, "submission_counts_failed", countSubmissions(ctx.db)),
    readOrNull(ctx, "open_tickets_not_counted", countOpenTickets(ctx.db)),
    readOrNull(ctx, "undecided_mail_not_counted", countUndecided(ctx.db)),
  ]);
  const badges: Partial<Record<string, NavigationEntry["badge"]>> = {
    [SUBMISSIONS_PATH]: submissions ? waiting(submissions) : undefined,
    [MAIL_PATH]: mail && mail.count > 0 ? { ...mail, of: "to decide" } : undefined,
    [STAFF_TICKETS_PATH]: openTickets ? { count: openTickets, of: "open" } : undefined,
  };
  return adminNavigation
    .filter((item) => can(actor, item.ability))
    .map(({ label, path }) => ({ label, path, badge: badges[path] }));
}

function waiting({ new: unanswered, held }: SubmissionCounts): NavigationEntry["badge"] {
  if (unanswered === 0 && held === 0) return undefined;
  return { count: unanswered, of: held > 0 ? `new, ${held.toLocaleString("en-US")} held` : "new" };
}

/** What cannot be read is missing alone. */
export async function adminLayoutData(ctx: Ctx, actor: StaffActor) {
  const [live, items, settings, unread, held] = await Promise.all([
    readOrNull(ctx, "live_updates_failed", listLiveUpdates(ctx)),
    navigationEntries(ctx, actor),
    readOrNull(ctx, "settings_failed", getSettings(ctx.db)),
    readOrNull(ctx, "unread_failed", countUnread(ctx.db, ownNotifications(actor))),
    readOrNull(ctx, "held_address_failed", findHeldAddress(ctx, actor.email)),
  ]);
  return {
    live,
    items: items.filter(({ path }) => path !== FIRST_HOUR_PATH || settings?.firstHourDoneAt === null),
    zone: (settings ?? DEFAULT_SETTINGS).timeZone,
    flash: takeFlash(ctx),
    liveToken: issueFormToken(ctx, LIVE_PURPOSE),
    codesUnsaved: actor.codesUnsaved,
    held,
    shortcutsOff: actor.shortcutsOff,
    account: { name: actor.fullName, email: actor.email, unread, signOutToken: issueFormToken(ctx, "sign-out") },
  };
}

export type AdminLayoutData = Awaited<ReturnType<typeof adminLayoutData>>;
