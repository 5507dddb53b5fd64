import { SUBMISSIONS_PATH } from "~/features/submissions/subject";

/** Maps the lists whose filters can be saved under a name to their addresses. */
export const SAVED_LISTS = { submissions: SUBMISSIONS_PATH } as const;
export type SavedList = keyof typeof SAVED_LISTS;

export type SavedView = { id: string; name: string; query: string; shared: boolean; mine: boolean; owner: string };

/** Limits saved views to more than anybody would look through. */
export const VIEWS_LIMIT = 50;
export const VIEW_NAME_MAX = 60;
