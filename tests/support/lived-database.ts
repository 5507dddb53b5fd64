import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { days, hours, type Instant } from "~/lib/time";
import { migratedDatabase, migrations, NOW } from "./node-database";

/** Returns the bookmark of the n-th state. */
export const bookmarkOf = (state: number): string =>
  `${String(state).padStart(8, "0")}-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683`;

/** Names the bookmark of the state of two days ago. */
export const WANTED = bookmarkOf(1);

type Call = "expectSignedIn" | "bookmarkAt" | "query" | "travelTo" | "execute" | "confirm";

const folder = mkdtempSync(path.join(tmpdir(), "wrenfield-restore-"));

/** Removes the files of all databases. */
export const removeDatabases = (): void => rmSync(folder, { recursive: true });

let files = 0;
const nextFile = () => {
  files += 1;
  return path.join(folder, `${files}.sqlite`);
};

let migrated: string | undefined;

/** Returns a file with a migrated database, made once. */
function migratedFile(): string {
  if (migrated) return migrated;
  migrated = nextFile();
  migratedDatabase(migrated).close();
  return migrated;
}

/**
 * Makes a database with Time Travel as wrangler shows it, and what the restore of it is given. It has lived: a session
 * that was open two days ago has ended since, and a password was changed three times. A call may fail, before or after
 * it has had its effect.
 */
export function livedDatabase() {
  let database: DatabaseSync;
  let file: string;
  const copyOf = (source: string) => {
    const copy = nextFile();
    copyFileSync(source, copy);
    return copy;
  };
  const open = (source: string) => {
    file = copyOf(source);
    database = new DatabaseSync(file);
    database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
  };
  open(migratedFile());
  const states: { at: Instant; file: string }[] = [];
  const keep = (at: Instant) => {
    states.push({ at, file: copyOf(file) });
    return bookmarkOf(states.length);
  };
  let notes: string | null = null;
  let failing: { call: number; isDone: boolean } | null = null;
  let calls = 0;
  const printed: string[] = [];
  const travelled: string[] = [];
  const made: Call[] = [];
  /** Makes a call, which fails if it is its turn. */
  const tried =
    <Values extends unknown[], Result>(name: Call, run: (...values: Values) => Result) =>
    async (...values: Values): Promise<Result> => {
      calls += 1;
      made.push(name);
      const fails = failing?.call === calls ? failing : null;
      if (fails && !fails.isDone) throw new Error("A connection was lost");
      const result = run(...values);
      if (fails) throw new Error("A connection was lost");
      return result;
    };
  const rows = (query: string) => database.prepare(query).all() as Record<string, unknown>[];
  const tools = {
    database: {
      expectSignedIn: tried("expectSignedIn", () => undefined),
      bookmarkAt: tried("bookmarkAt", (at?: number) => {
        if (at === undefined) return keep(NOW);
        return bookmarkOf(states.filter((state) => state.at <= at).length);
      }),
      query: tried("query", rows),
      travelTo: tried("travelTo", (to: string) => {
        const state = states[Number(to.slice(0, 8)) - 1];
        if (!state) throw new Error("No such bookmark");
        travelled.push(to);
        keep(NOW);
        database.close();
        open(state.file);
      }),
      execute: tried("execute", (statements: string[]) => {
        database.exec(`BEGIN;\n${statements.join(";\n")};\nCOMMIT;`);
      }),
    },
    notes: {
      read: () => (notes === null ? null : JSON.parse(notes)),
      write: (noted: unknown) => {
        notes = JSON.stringify(noted);
      },
      remove: () => {
        notes = null;
      },
    },
    confirm: tried("confirm", () => undefined),
    migrations,
    print: (line: string) => void printed.push(line),
    now: () => NOW,
  };
  const exec = (statement: string) => database.exec(statement);
  const record = (at: Instant, action: string) =>
    exec(`INSERT INTO audit_events(at, actor_role, action, subject_type) VALUES (${at}, 'admin', '${action}', 'user')`);
  const openSession = (id: string) =>
    exec(`INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at,
        reauth_at, ip_prefix) VALUES ('${id}', 'usr_ada', 0, 1, 1, 1, 1, 1, 1, '')`);

  exec(`INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status)
    VALUES ('usr_ada', 1, 1, 'ada@larkspur.example', 'Ada', 'ada', 'active')`);
  record(NOW - days(3), "session.started");
  openSession("ended");
  keep(NOW - days(2));
  exec("DELETE FROM sessions");
  keep(NOW - days(2) + hours(1));
  exec("UPDATE counters SET value = 1040 WHERE name = 'ticket'");
  for (let times = 0; times < 3; times += 1) record(NOW - days(1), "user.password_changed");
  record(NOW - days(1), "user.erased");
  return {
    tools,
    printed,
    travelled,
    made,
    rows,
    keep,
    record,
    openSession,
    exec,
    hasNotes: () => notes !== null,
    failAt: (call: number, isDone: boolean) => {
      failing = { call, isDone };
    },
    close: () => database.close(),
  };
}
