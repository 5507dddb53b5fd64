import { randomBytes } from "node:crypto";
import { get } from "node:http";
import { hours } from "~/lib/time";
import { encrypt, hashToken, newToken } from "~/platform/crypto.server";
import { localSecrets } from "../local-secrets.mjs";
import { insertRow } from "../sql.mjs";
import { newestTicket } from "./pages.mjs";

/** Limits the sockets of a person: the hub closes the oldest one when a sixth opens. */
const SOCKETS_PER_PERSON = 5;
const EVENT_TIMEOUT = 10_000;

/** Sets how many events are measured: one alone may meet the machine at a bad moment. */
const ROUNDS = 5;

/**
 * Adds technicians with live sessions to a local database whose server does not run, as many as are needed to open that
 * many sockets. Returns what each socket's cookie holds.
 */
export function addListeners(database, wanted) {
  const now = Date.now();
  const insert = (table, row) => insertRow(database, table, row);
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
  return cookies;
}

/**
 * Opens sockets of the admin area, one for each session id, and tells how long after a form that changes a ticket was
 * sent its event arrived: at half of the sockets, then at all. Takes the median of several rounds. All sockets and the
 * server share this machine.
 */
export async function liveFanout(origin, { admin, sessionIds }) {
  const path = await newestTicket(admin);
  const sockets = [];
  const rows = [];
  let changes = 0;
  try {
    for (const count of [sessionIds.length / 2, sessionIds.length]) {
      const more = sessionIds.slice(sockets.length, count).map((sessionId) => open(origin, sessionId));
      sockets.push(...(await Promise.all(more)));
      rows.push(await measure(sockets, () => fillInTicket(admin, path, changes++)));
    }
    return rows;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Measures the event of a changed ticket. `fillIn`: returns the function that sends the form which causes it. */
async function measure(sockets, fillIn) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await sendOnce(sockets, await fillIn()));
  const middle = (name) => median(rounds.map((round) => round[name]));
  return {
    sockets: sockets.length,
    "events lost": rounds.reduce((sum, { lost }) => sum + lost, 0),
    "form answered ms": middle("answered"),
    "p50 ms": middle("p50"),
    "p95 ms": middle("p95"),
    "last ms": middle("last"),
  };
}

const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];

/** Gives a ticket a status that it does not have: each time another one than the time before. */
function fillInTicket(admin, path, changes) {
  const status = changes % 2 === 0 ? "in_progress" : "waiting_for_customer";
  return admin.fillIn(path, { status, assignee_id: "", category: "", intent: "handling" });
}

async function sendOnce(sockets, send) {
  const sent = performance.now();
  const events = sockets.map((socket) => nextEventOn(socket, "ticket_event"));
  const answer = await send();
  if (answer.status !== 303) throw new Error(`The form of the ticket answered ${answer.status}`);
  const answered = Math.round(performance.now() - sent);
  const times = (await Promise.all(events)).filter((at) => at !== null).map((at) => at - sent);
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.POSITIVE_INFINITY);
  return { lost: sockets.length - times.length, answered, p50: at(0.5), p95: at(0.95), last: at(1) };
}

/**
 * Opens a socket as plain bytes. Node's own WebSocket takes so much processor time for each frame that 500 of them
 * would measure mostly themselves; the browsers of 500 people are not on the server's machine.
 */
function open(origin, sessionId) {
  const headers = {
    Origin: origin,
    Cookie: `__Host-sid=${sessionId}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
  };
  return new Promise((resolve, reject) => {
    const request = get(new URL("/admin/live", origin), { headers });
    request.once("upgrade", (_response, socket) => {
      // A connection that breaks later shows as lost events.
      socket.on("error", () => {});
      resolve(socket.setEncoding("latin1").resume());
    });
    request.once("response", ({ statusCode }) => reject(new Error(`A socket was rejected with ${statusCode}`)));
    request.once("error", reject);
  });
}

/**
 * Resolves with the moment at which the next event of a type was received; with null when it was not. What a server
 * sends is neither masked nor, because that was not offered, compressed.
 */
function nextEventOn(socket, type) {
  return new Promise((resolve) => {
    let received = "";
    const finish = (at) => {
      clearTimeout(giveUp);
      socket.off("data", listen);
      resolve(at);
    };
    const listen = (text) => {
      received += text;
      if (received.includes(`"type":"${type}"`)) finish(performance.now());
    };
    const giveUp = setTimeout(() => finish(null), EVENT_TIMEOUT);
    socket.on("data", listen);
  });
}
