import { submissionList } from "~/features/submissions/list/definition";
import { ticketList } from "~/features/tickets/staff-list/definition";

/** Lists the lists whose filters can be saved under a name. */
export const SAVED_LISTS = { submissions: submissionList, tickets: ticketList } as const;
export type SavedList = keyof typeof SAVED_LISTS;
