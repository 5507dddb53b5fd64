import { hours } from "~/lib/time";
import { hashToken, newToken } from "~/platform/crypto.server";
import { runAll } from "./built-worker";

/*
 * Accounts in the database of the built worker. Statements have their values in them, see `runAll`.
 */

export type Account = ReturnType<typeof accountOf>;

/** Returns an id like those of the product. */
export const newId = (prefix: string) =>
  `${prefix}_${newToken()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "x")
    .slice(0, 20)}`;

/** Returns a session of somebody: what stores it, and the header with its cookie. */
export function sessionOf(userId: string, aal: 1 | 2 = 2) {
  const [sessionId, now] = [newToken(), Date.now()];
  const until = now + hours(1);
  return {
    session: { cookie: `__Host-sid=${sessionId}` },
    statement: `INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at,
        reauth_at, ip_prefix)
      VALUES ('${hashToken(sessionId)}', '${userId}', 0, ${aal}, ${now}, ${now}, ${until}, ${until}, ${now}, '203.0.113.0')`,
  };
}

/** Returns an account with a session, which has proved a second factor if there is one, and what stores both. */
export function accountOf({ id = newId("usr"), role = "user", hasFactor = true, passwordHash = "" } = {}) {
  const now = Date.now();
  const email = `${id}@clinic.example`;
  const { statement, session } = sessionOf(id, hasFactor ? 2 : 1);
  const statements = [
    `INSERT INTO users(id, email, full_name, password_hash, status, created_at, updated_at)
     VALUES ('${id}', '${email}', 'Priya Raman', nullif('${passwordHash}', ''), 'active', ${now}, ${now})`,
    `INSERT INTO user_roles(user_id, role) SELECT '${id}', '${role}' WHERE '${role}' <> 'user'`,
    `INSERT INTO user_mfa_settings(user_id, is_enabled, updated_at) SELECT '${id}', 1, ${now} WHERE ${hasFactor}`,
    statement,
  ];
  return { id, email, session, statements };
}

/** Creates a person with a session, and returns the header with its cookie. Everybody has proved a second factor. */
export async function signedInOn(db: D1Database, role: "user" | "moderator" | "admin"): Promise<{ cookie: string }> {
  const { statements, session } = accountOf({ role });
  await runAll(db, statements);
  return session;
}
