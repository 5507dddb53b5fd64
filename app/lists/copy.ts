export const DATES_BACKWARDS = "The start date is after the end date";

/** Why a list without an index of one and two letters finds nothing by them. */
export const SEARCH_TOO_SHORT = "A search needs at least three letters here.";

/** What a list says that has matches for no filter. */
export const NO_MATCH = "Nothing matches these filters.";

/** What a search says that stopped before it had filled the page: how far it came and how to go on. */
export const scanStopped = (scanned: number, { many }: { many: string }, { on }: { on: string }): string =>
  `The search looked at ${scanned} ${many} and stopped. "${on}" searches on, to the end.`;
