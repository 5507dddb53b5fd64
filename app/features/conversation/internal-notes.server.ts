import { type SQL, sql } from "drizzle-orm";

/**
 * Selects what clients may read, and nothing else does: page, search, mails, files, exports, letters and figures all
 * ask this. Written as in the partial index `public_messages_in_order`. `alias`: of the messages' table.
 */
export const isPublic = (alias: "m" | "x" = "m"): SQL => sql.raw(`${alias}.is_internal = 0`);
export const isInternalNote = (alias: "m" | "x" = "m"): SQL => sql.raw(`${alias}.is_internal = 1`);
