import type { Ability } from "~/access/policy";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";

/** An entry of the back office's navigation. `ability` is what a person must hold to see it. */
type AdminNavigationItem = { label: string; path: string; ability: Ability };

/**
 * The back office in the order of its navigation. Each person is shown the entries they may open, and an entry stands
 * here from the day its page exists: no link of ours leads nowhere.
 */
export const adminNavigation: readonly AdminNavigationItem[] = [
  { label: "Dashboard", path: "/admin", ability: "submission.view" },
  { label: "Submissions", path: SUBMISSIONS_PATH, ability: "submission.view" },
  { label: "Activity", path: "/admin/activity", ability: "activity.view" },
  { label: "Settings", path: "/admin/settings", ability: "settings.change" },
];
