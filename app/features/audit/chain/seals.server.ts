import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";

/** Limits how many events are read at a time. */
export const CHAIN_CHUNK = 500;

/** Stands where the first event of all has no seal before it. */
export const FIRST_LINK = "";

/**
 * Lists what a seal covers: every column of an event but the name of its subject and the searchable text, which are
 * cleared when the subject is deleted.
 */
const SEALED_COLUMNS = [
  "id",
  "at",
  "actor_id",
  "actor_role",
  "actor_name",
  "actor_email",
  "on_behalf_of",
  "action",
  "subject_type",
  "subject_id",
  "org_id",
  "ip",
  "request_id",
  "meta_json",
] as const;

export type SealedEvent = Record<(typeof SEALED_COLUMNS)[number], string | number | null>;

/** Holds a link of the chain: the seal of an event, and the seal before it. */
export type Seal = { event_id: number; prev_hash: string; hash: string };

/** Names the sealed columns in a query that calls the table `e`. */
export const sealedColumns: SQL = sql.raw(SEALED_COLUMNS.map((column) => `e.${column}`).join(", "));

/**
 * Computes the seal of an event. It is keyed: who can write to the database alone cannot compute the chain again after
 * a change.
 */
export function sealOf({ config }: Pick<Ctx, "config">, previous: string, event: SealedEvent): string {
  const values = SEALED_COLUMNS.map((column) => event[column]);
  return keyedHash(config.LOG_HMAC_KEY, "audit-chain/v1", `${previous}\n${JSON.stringify(values)}`);
}
