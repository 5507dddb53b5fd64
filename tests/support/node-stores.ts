import { createHash } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type Db, openDb } from "~/db/client.server";
import { meteredD1, noCost } from "~/platform/d1.server";
import type { Files } from "~/platform/files.server";

/* Database and file store of the platform, where Node runs without it. */

/** `beforeBatch` is told the statements. */
export function dbOfNode(database: DatabaseSync, beforeBatch?: (queries: string[]) => void): Db {
  type Bound = { query: string; values: SQLInputValue[]; bind: (...values: SQLInputValue[]) => Bound };
  const statement = (query: string, values: SQLInputValue[] = []): Bound => ({
    ...{ query, values, bind: (...bound) => statement(query, bound) },
  });
  const d1 = {
    prepare: statement,
    batch: async (statements: Bound[]) => {
      beforeBatch?.(statements.map(({ query }) => query));
      database.exec("BEGIN");
      try {
        const results = statements.map(({ query, values }) => {
          const results = database.prepare(query).all(...values);
          const changes = database.prepare("SELECT changes() AS changes").get()?.changes;
          return { results, meta: { changes } };
        });
        database.exec("COMMIT");
        return results;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
  return openDb(meteredD1(d1 as unknown as D1Database, noCost()));
}

type Stored = { bytes: Uint8Array; etag: string };
export type StoredFiles = Map<string, Stored>;

const etagOf = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

export function filesOfNode(stored: StoredFiles): Files {
  const put = (key: string, bytes: Uint8Array) => void stored.set(key, { bytes, etag: etagOf(bytes) });
  const unused = async (): Promise<never> => {
    throw new Error("Not used here");
  };
  return {
    put: async (key, bytes) => put(key, new Uint8Array(bytes)),
    putStream: async (key, bytes) => put(key, new Uint8Array(await new Response(bytes).arrayBuffer())),
    head: async (key) => {
      const file = stored.get(key);
      return file ? { size: file.bytes.length, etag: file.etag } : null;
    },
    getRange: async (key, { offset, length }) => {
      const file = stored.get(key);
      return file ? new Blob([file.bytes.slice(offset, offset + length)]).stream() : null;
    },
    get: async (key) => {
      const file = stored.get(key);
      return file ? new Blob([file.bytes as Uint8Array<ArrayBuffer>]).stream() : null;
    },
    delete: async (keys) => {
      for (const key of keys) stored.delete(key);
    },
    list: async (prefix, after, limit) => {
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      const found = keys.slice(0, limit).map((key) => {
        const { bytes, etag } = stored.get(key) as Stored;
        return { key, size: bytes.length, etag };
      });
      return { found, hasMore: keys.length > limit };
    },
    ...{ putParts: unused, listOlderThan: unused },
  };
}

/** Holds files as the bucket of the platform lists and gives them, for what only reads there. */
export const bucketOfNode = (files: Record<string, Uint8Array>) => ({
  list: async () => ({
    objects: Object.entries(files).map(([key, { length: size }]) => ({ key, size })),
    truncated: false,
  }),
  get: async (key: string) => ({ arrayBuffer: async () => files[key]?.slice().buffer }),
});
