/** Rows one bulk action takes. */
export const BULK_LIMIT = 500;
