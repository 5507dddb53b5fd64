export const DATES_BACKWARDS = "The start date is after the end date";

/** What a list says that has matches for no filter. */
export const NO_MATCH = "Nothing matches these filters.";

/** What a search says that stopped before it had filled the page: how far it came and how to go on. */
export const scanStopped = (scanned: number, { many }: { many: string }, { on }: { on: string }): string =>
  `The search looked at ${scanned} ${many} and stopped. "${on}" searches on, to the end.`;
