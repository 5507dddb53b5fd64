import { submissionList } from "~/features/submissions/list/definition";
import { ticketList } from "~/features/tickets/staff-list/definition";

/** Lists the lists whose filters can be saved under a name. */
export const SAVED_LISTS = { submissions: submissionList, tickets: ticketList } as const;
export type SavedList = keyof typeof SAVED_LISTS;

/** Names the address that the forms of saved views post to. */
export const VIEWS_PATH = "/admin/views";

export type SavedView = { id: string; name: string; query: string; shared: boolean; mine: boolean; owner: string };

/** Limits saved views to more than anybody would look through. */
export const VIEWS_LIMIT = 50;
export const VIEW_NAME_MAX = 60;
