import { expect, test } from "vitest";
import { hours } from "~/lib/time";
import { hashToken, newToken } from "~/platform/crypto.server";
import { builtWorkerOfFile } from "../../support/built-worker";

const ORIGIN = "http://localhost:8787";

const server = builtWorkerOfFile();

/** Creates a person with a session. Returns the value of the session cookie. */
async function signedIn(role: "admin" | "moderator" | "user"): Promise<string> {
  const { db } = server;
  const [id, sessionId, now] = [`usr_${newToken().slice(0, 8)}`, newToken(), Date.now()];
  await db.batch([
    db
      .prepare(
        "INSERT INTO users(id, email, full_name, status, created_at, updated_at) VALUES (?1, ?1 || '@x.example', 'A B', 'active', ?2, ?2)",
      )
      .bind(id, now),
    db.prepare("INSERT INTO user_roles(user_id, role) VALUES (?, ?)").bind(id, role),
    db.prepare("INSERT INTO user_mfa_settings(user_id, is_enabled, updated_at) VALUES (?, 1, ?)").bind(id, now),
    db
      .prepare(
        `INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at, reauth_at, ua_label, ip_prefix)
         VALUES (?1, ?2, 0, 2, ?3, ?3, ?4, ?4, ?3, 'Chrome', '203.0.113.0')`,
      )
      .bind(hashToken(sessionId), id, now, now + hours(1)),
  ]);
  return sessionId;
}

const open = (cookie: string | null, origin = ORIGIN) =>
  server.fetch(`${ORIGIN}/admin/live`, {
    headers: { Upgrade: "websocket", Origin: origin, ...(cookie ? { Cookie: `__Host-sid=${cookie}` } : {}) },
  });

test("a staff member's socket opens through the whole worker and receives events", async () => {
  const response = await open(await signedIn("moderator"));
  expect(response.status).toBe(101);
  const socket = response.webSocket;
  if (!socket) throw new Error("The response has no socket");
  const frames: unknown[] = [];
  socket.addEventListener("message", (event) => {
    frames.push(JSON.parse(String(event.data)));
  });
  socket.accept();
  await server.db.exec(
    "INSERT INTO live_events(audience, type, subject_type, subject_id, label, at) VALUES ('staff', 'new_submission', 'submission', 'sub_1', 'Priya Raman', 0)",
  );
  socket.send('{"type":"hello","lastSeq":0}');
  await expect
    .poll(() => frames)
    .toEqual([
      { v: 1, seq: 1, type: "new_submission", id: "sub_1", label: "Priya Raman", at: "1970-01-01T00:00:00.000Z" },
    ]);
  socket.close(1000);
});

test("without a valid session no socket opens", async () => {
  expect((await open(null)).status).toBe(401);
  expect((await open(newToken())).status).toBe(401);
});

test("a client may not open the staff channel", async () => {
  expect((await open(await signedIn("user"))).status).toBe(403);
});

test("another site cannot use a signed-in person's cookie", async () => {
  expect((await open(await signedIn("admin"), "https://evil.example")).status).toBe(403);
});
