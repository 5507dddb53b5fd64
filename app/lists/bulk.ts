/** Limits how many rows one bulk action takes. */
export const BULK_LIMIT = 500;
