/*
 * Run by the bench while no server runs: `node add-listeners.mjs 500`. Adds technicians with live sessions to the local
 * database, as many as are needed to open that many sockets, and prints what each socket's cookie holds.
 */
import { hours } from "~/lib/time";
import { encrypt, hashToken, newToken } from "~/platform/crypto.server";
import { localSecrets } from "../local-secrets.mjs";
import { openLocalDatabase } from "../local-state.mjs";

/** Limits the sockets of a person: the hub closes the oldest one when a sixth opens. */
const SOCKETS_PER_PERSON = 5;

const wanted = Number(process.argv[2]);
const database = await openLocalDatabase();
const now = Date.now();
const insert = (table, row) => {
  const columns = Object.keys(row);
  const parameters = columns.map((_, index) => `?${index + 1}`);
  database.prepare(`insert into ${table}(${columns}) values (${parameters})`).run(...Object.values(row));
};
const cookies = [];
database.exec("begin immediate");
for (let person = 0; cookies.length < wanted; person += 1) {
  const id = `usr_listener_${now}_${person}`;
  const email = `listener-${now}-${person}@wrenfield.example`;
  insert("users", { id, email, full_name: "Listener", status: "active", created_at: now, updated_at: now });
  insert("user_roles", { user_id: id, role: "moderator" });
  const totp_secret = encrypt(localSecrets().DATA_KEK_1, `user_mfa_settings:totp_secret:${id}`, "never used");
  insert("user_mfa_settings", { user_id: id, is_enabled: 1, totp_secret, updated_at: now });
  const sessionId = newToken();
  insert("sessions", {
    id_hash: hashToken(sessionId),
    user_id: id,
    epoch: 0,
    aal: 2,
    created_at: now,
    last_seen_at: now,
    idle_expires_at: now + hours(0.5),
    abs_expires_at: now + hours(1),
    reauth_at: now,
    ip_prefix: "127.0.0.1",
  });
  for (let count = 0; count < SOCKETS_PER_PERSON && cookies.length < wanted; count += 1) cookies.push(sessionId);
}
database.exec("commit");
database.close();
console.log(JSON.stringify(cookies));
