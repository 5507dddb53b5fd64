/** Holds the minimum age of a form token in milliseconds: the contact form rejects what is sent sooner. */
const FILLED_IN = 2_200;
const EVENT_TIMEOUT = 10_000;

/** Counts the submissions: one alone may meet the machine at a bad moment. */
const ROUNDS = 5;

/**
 * Opens a socket of the admin area for each session id, submits the contact form several times, and tells how long after
 * each request was sent its event arrived: the median round. All sockets and the server share this machine.
 */
export async function liveFanout(origin, visitor, sessionIds) {
  const sockets = await Promise.all(sessionIds.map((sessionId) => open(origin, sessionId)));
  try {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await submitOnce(visitor, sockets, round));
    const middle = (name) =>
      rounds.map((round) => round[name]).toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)];
    return {
      sockets: sockets.length,
      "events lost": rounds.reduce((sum, { lost }) => sum + lost, 0),
      "form answered ms": middle("answered"),
      "p50 ms": middle("p50"),
      "p95 ms": middle("p95"),
      "last ms": middle("last"),
    };
  } finally {
    for (const socket of sockets) socket.close();
  }
}

async function submitOnce(visitor, sockets, round) {
  const send = await visitor.fillIn("/contact", {
    first_name: "Live",
    last_name: "Fanout",
    email: `live${round}@fanout.example`,
    agreed_to_terms: "on",
    // The honeypot: a browser sends it empty.
    website: "",
  });
  await pause(FILLED_IN);
  const sent = performance.now();
  const events = sockets.map((socket) => nextEventOn(socket));
  const answer = await send();
  if (answer.status !== 303) throw new Error(`The contact form answered ${answer.status}`);
  const answered = Math.round(performance.now() - sent);
  const times = (await Promise.all(events)).filter((at) => at !== null).map((at) => at - sent);
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.POSITIVE_INFINITY);
  return { lost: sockets.length - times.length, answered, p50: at(0.5), p95: at(0.95), last: at(1) };
}

function open(origin, sessionId) {
  const headers = { Origin: origin, Cookie: `__Host-sid=${sessionId}` };
  const socket = new WebSocket(`${origin.replace(/^http/, "ws")}/admin/live`, { headers });
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(socket), { once: true });
    socket.addEventListener("error", () => reject(new Error("A socket was rejected")), { once: true });
  });
}

/** Resolves with the moment at which the event of the next submission was received; with null when it was not. */
function nextEventOn(socket) {
  return new Promise((resolve) => {
    const finish = (at) => {
      clearTimeout(giveUp);
      socket.removeEventListener("message", listen);
      resolve(at);
    };
    const listen = ({ data }) => {
      if (JSON.parse(data).type === "new_submission") finish(performance.now());
    };
    const giveUp = setTimeout(() => finish(null), EVENT_TIMEOUT);
    socket.addEventListener("message", listen);
  });
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
