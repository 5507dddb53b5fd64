/** Names the address that the forms of saved views post to. */
export const VIEWS_PATH = "/admin/views";

export type SavedView = { id: string; name: string; query: string; shared: boolean; mine: boolean; owner: string };

/** Limits saved views to more than anybody would look through. */
export const VIEWS_LIMIT = 50;
export const VIEW_NAME_MAX = 60;
