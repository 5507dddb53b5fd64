import { hours } from "~/lib/time";
import { hashToken, newToken } from "~/platform/crypto.server";

/**
 * Creates a person with a session in the database of the built worker. Returns the header with the session's cookie.
 * Everybody has proved a second factor.
 */
export async function signedInOn(db: D1Database, role: "user" | "moderator" | "admin"): Promise<{ cookie: string }> {
  const [id, sessionId, now] = [`usr_${newToken().slice(0, 8)}`, newToken(), Date.now()];
  await db.batch([
    db
      .prepare(
        "INSERT INTO users(id, email, full_name, status, created_at, updated_at) VALUES (?1, ?2, 'Priya Raman', 'active', ?3, ?3)",
      )
      .bind(id, `${sessionId.slice(0, 9).toLowerCase()}@clinic.example`, now),
    db.prepare("INSERT INTO user_roles(user_id, role) VALUES (?, ?)").bind(id, role),
    db.prepare("INSERT INTO user_mfa_settings(user_id, is_enabled, updated_at) VALUES (?, 1, ?)").bind(id, now),
    db
      .prepare(
        `INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at, reauth_at, ip_prefix)
         VALUES (?1, ?2, 0, 2, ?3, ?3, ?4, ?4, ?3, '203.0.113.0')`,
      )
      .bind(hashToken(sessionId), id, now, now + hours(1)),
  ]);
  return { cookie: `__Host-sid=${sessionId}` };
}
