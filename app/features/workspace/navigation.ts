import type { Ability } from "~/access/policy";
import { activityList } from "~/features/audit/activity/definition";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";

/** Describes an entry of the admin navigation. `ability` is what a person must hold to see it. */
type AdminNavigationItem = { label: string; path: string; ability: Ability };

/**
 * Lists the pages of the admin area in the order of its navigation. Each person is shown the entries they may open, and
 * an entry is listed only once its page exists: no link of ours leads nowhere.
 */
export const adminNavigation: readonly AdminNavigationItem[] = [
  { label: "Dashboard", path: "/admin", ability: "submission.view" },
  { label: "Submissions", path: SUBMISSIONS_PATH, ability: "submission.view" },
  { label: "Activity", path: activityList.path, ability: "activity.view" },
  { label: "Settings", path: "/admin/settings", ability: "settings.change" },
];
