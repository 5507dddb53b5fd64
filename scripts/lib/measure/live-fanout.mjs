/** Holds the minimum age of a form token in milliseconds: the contact form rejects what is sent sooner. */
const FILLED_IN = 2_200;
const EVENT_TIMEOUT = 10_000;

/**
 * Opens a socket of the admin area for each session id, submits the contact form, and tells how long after the request
 * was sent its event arrived. All sockets and the server share this machine.
 */
export async function liveFanout(origin, visitor, sessionIds) {
  const sockets = await Promise.all(sessionIds.map((sessionId) => open(origin, sessionId)));
  try {
    const send = await visitor.fillIn("/contact", {
      first_name: "Live",
      last_name: "Fanout",
      email: "live@fanout.example",
      agreed_to_terms: "on",
      // The honeypot: a browser sends it empty.
      website: "",
    });
    await pause(FILLED_IN);
    const sent = performance.now();
    const events = sockets.map((socket) => firstEventOn(socket));
    const answer = await send();
    if (answer.status !== 303) throw new Error(`The contact form answered ${answer.status}`);
    const answered = performance.now() - sent;
    const times = (await Promise.all(events)).filter((at) => at !== null).map((at) => at - sent);
    const sorted = times.toSorted((left, right) => left - right);
    const at = (share) => (sorted.length > 0 ? Math.round(sorted[Math.floor((sorted.length - 1) * share)]) : null);
    return {
      sockets: sockets.length,
      "events lost": sockets.length - times.length,
      "form answered ms": Math.round(answered),
      "p50 ms": at(0.5),
      "p95 ms": at(0.95),
      "last ms": at(1),
    };
  } finally {
    for (const socket of sockets) socket.close();
  }
}

function open(origin, sessionId) {
  const headers = { Origin: origin, Cookie: `__Host-sid=${sessionId}` };
  const socket = new WebSocket(`${origin.replace(/^http/, "ws")}/admin/live`, { headers });
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(socket), { once: true });
    socket.addEventListener("error", () => reject(new Error("A socket was refused")), { once: true });
  });
}

/** Resolves with the moment at which the event of the next submission was received; with null when it was not. */
function firstEventOn(socket) {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => resolve(null), EVENT_TIMEOUT);
    socket.addEventListener("message", ({ data }) => {
      if (JSON.parse(data).type !== "new_submission") return;
      clearTimeout(giveUp);
      resolve(performance.now());
    });
  });
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
