import type { Ability } from "~/access/policy";
import { ANALYTICS_PATH } from "~/features/analytics/paths";
import { activityList } from "~/features/audit/activity/definition";
import { LETTERS_PATH } from "~/features/letters/model";
import { memberList } from "~/features/members/definition";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { REPORTS_PATH } from "~/features/reports/model";
import { SECURITY_PATH } from "~/features/security/model";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { USERS_PATH } from "~/features/users/model";
import { ADMIN_HOME_PATH } from "~/lib/addresses";

/** Describes an entry of the admin navigation. `ability` is what a person must hold to see it. */
type AdminNavigationItem = { label: string; path: string; ability: Ability };

/**
 * Lists the pages of the admin area in the order of its navigation. Each person is shown the entries they may open, and
 * an entry is listed only once its page exists: no link of ours leads nowhere.
 */
export const adminNavigation: readonly AdminNavigationItem[] = [
  { label: "Dashboard", path: ADMIN_HOME_PATH, ability: "submission.view" },
  { label: "Organizations", path: ORGANIZATIONS_PATH, ability: "organization.view" },
  { label: "Members", path: memberList.path, ability: "member.list" },
  { label: "Tickets", path: STAFF_TICKETS_PATH, ability: "ticket.handle" },
  { label: "Submissions", path: SUBMISSIONS_PATH, ability: "submission.view" },
  { label: "Users", path: USERS_PATH, ability: "user.view" },
  { label: "Analytics", path: ANALYTICS_PATH, ability: "analytics.view" },
  { label: "Activity", path: activityList.path, ability: "activity.view" },
  { label: "Security", path: SECURITY_PATH, ability: "security.view" },
  { label: "Reports", path: REPORTS_PATH, ability: "report.view" },
  { label: "Letters", path: LETTERS_PATH, ability: "letter.handle" },
  { label: "Settings", path: SETTINGS_PATH, ability: "settings.change" },
];
