import { randomBytes } from "node:crypto";
import { get } from "node:http";
import { newestTicket } from "./admin-pages.mjs";

/** Holds the minimum age of a form token in milliseconds: the contact form rejects what is sent sooner. */
const FILLED_IN = 2_200;
const EVENT_TIMEOUT = 10_000;

/** Sets how many events are measured: one alone may meet the machine at a bad moment. */
const ROUNDS = 5;

/**
 * Opens sockets of the admin area, one for each session id, and tells how long after a form was sent its event arrived:
 * first of half of them, of a contact form that a visitor sends, then of all, of a ticket that an admin changes.
 * Returns the median of several rounds for each. All sockets and the server share this machine.
 */
export async function liveFanout(origin, { visitor, admin, sessionIds }) {
  const sockets = [];
  const openUpTo = async (count) => {
    const opened = sessionIds.slice(sockets.length, count).map((sessionId) => open(origin, sessionId));
    sockets.push(...(await Promise.all(opened)));
  };
  try {
    await openUpTo(Math.ceil(sessionIds.length / 2));
    const submission = await measure(sockets, "new_submission", (round) => fillInContact(visitor, round));
    await openUpTo(sessionIds.length);
    const path = await newestTicket(admin);
    const ticket = await measure(sockets, "ticket_event", (round) => fillInTicket(admin, path, round));
    return [submission, ticket];
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Measures an event. `fillIn`: returns the function that sends the form which causes it. */
async function measure(sockets, event, fillIn) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await sendOnce(sockets, event, await fillIn(round)));
  const middle = (name) =>
    rounds.map((round) => round[name]).toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)];
  return {
    event,
    sockets: sockets.length,
    "events lost": rounds.reduce((sum, { lost }) => sum + lost, 0),
    "form answered ms": middle("answered"),
    "p50 ms": middle("p50"),
    "p95 ms": middle("p95"),
    "p99 ms": middle("p99"),
    "last ms": middle("last"),
  };
}

async function fillInContact(visitor, round) {
  const send = await visitor.fillIn("/contact", {
    first_name: "Live",
    last_name: "Fanout",
    email: `live${round}@fanout.example`,
    agreed_to_terms: "on",
    // The honeypot: a browser sends it empty.
    website: "",
  });
  await pause(FILLED_IN);
  return send;
}

/** Gives a ticket a status that it does not have: each round another one than the round before. */
function fillInTicket(admin, path, round) {
  const status = round % 2 === 0 ? "in_progress" : "waiting_for_customer";
  return admin.fillIn(path, { status, assignee_id: "", category: "", intent: "handling" });
}

async function sendOnce(sockets, type, send) {
  const sent = performance.now();
  const events = sockets.map((socket) => nextEventOn(socket, type));
  const answer = await send();
  if (answer.status !== 303) throw new Error(`The form of ${type} answered ${answer.status}`);
  const answered = Math.round(performance.now() - sent);
  const times = (await Promise.all(events)).filter((at) => at !== null).map((at) => at - sent);
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.POSITIVE_INFINITY);
  return { lost: sockets.length - times.length, answered, p50: at(0.5), p95: at(0.95), p99: at(0.99), last: at(1) };
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

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
