import { remoteDatabase } from "./wrangler.mjs";

/**
 * Returns a code with which an installation is claimed at /setup, and the statement that stores its hash in place of an
 * earlier one. Where an administrator exists, the statement changes nothing and returns no row: question and answer are
 * one, so nobody can claim the installation between them.
 */
export async function newSetupCode(now) {
  const { hashToken, newToken } = await import("~/platform/crypto.server");
  const code = newToken();
  const sql = [
    "insert into settings(key, value_json, updated_at)",
    `select 'setup_code_hash', '${JSON.stringify(hashToken(code))}', ${now}`,
    "where not exists (select 1 from user_roles where role = 'admin')",
    "on conflict(key) do update set value_json = excluded.value_json, updated_at = excluded.updated_at,",
    "version = version + 1 returning key",
  ];
  return { code, sql: sql.join(" ") };
}

/**
 * Makes a new setup code for a deployed installation as long as it has no administrator; else returns null. The code is
 * stored nowhere: print the address, which holds it.
 */
export async function setupCodeIfNoAdministrator(site) {
  const { code, sql } = await newSetupCode(Date.now());
  const rows = await remoteDatabase(site).query(sql);
  return rows.length > 0 ? { code, address: setupAddress(site.origin, code) } : null;
}

export const setupAddress = (origin, code) => `${origin}/setup?code=${code}`;
