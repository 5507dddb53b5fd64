import { type Duration, type Instant, seconds } from "~/lib/time";

/** Thrown when too many passwords wait to be hashed in this isolate: answered with 503 and `Retry-After: 2`. */
export class HashingSaturated extends Error {
  override name = "HashingSaturated";
}

/** Hashes admitted at once; of these one runs and the others wait their turn. */
const SLOTS = 4;
const PATIENCE = seconds(2);
/** Between two hashes everything else has its turn: a page takes several steps, and each would wait for a hash. */
const PAUSE: Duration = 20;
/** How often those who wait look whether it is their turn. */
const POLL: Duration = 10;
/** Whoever waits and has not looked for this long, while nothing was in the way, is not there any more. */
const GONE: Duration = 250;
/** No hash takes this long. */
const STUCK: Duration = seconds(10);

type Ticket = { seenAt: Instant; startedAt: Instant | null };

/**
 * In the order of arrival. Requests share this list and nothing else: the runtime cancels the work of a browser that
 * goes away, with its timers and promises, so a request that waited for another one's promise could wait for ever, and
 * with it all who come after. Here each looks for itself, and tickets of those who are gone are taken out.
 */
let tickets: Ticket[] = [];
let lastEndedAt: Instant = 0;

/**
 * Runs one slow hash. The runtime executes scrypt synchronously, so hashes run one after the other with a pause in
 * between: every other request of the isolate waits for little more than one hash.
 */
export async function inHashQueue<Value>(hash: () => Value): Promise<Value> {
  const arrivedAt = Date.now();
  const ticket: Ticket = { seenAt: arrivedAt, startedAt: null };
  try {
    while (!isTurnOf(ticket)) {
      if (tickets.indexOf(ticket) >= SLOTS && Date.now() - arrivedAt >= PATIENCE) {
        throw new HashingSaturated("No slot for hashing became free");
      }
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
    ticket.startedAt = Date.now();
    return await hash();
  } finally {
    if (ticket.startedAt !== null) lastEndedAt = Date.now();
    tickets = tickets.filter((other) => other !== ticket);
  }
}

/** Takes a place, keeps it, and says whether it is the first one and the pause is over. */
function isTurnOf(ticket: Ticket): boolean {
  const now = Date.now();
  ticket.seenAt = now;
  tickets = tickets.filter((other) => !isGone(other, now));
  if (!tickets.includes(ticket)) tickets.push(ticket);
  return tickets[0] === ticket && now - lastEndedAt >= PAUSE;
}

/** While a hash runs nobody can look, so its end counts as the last look of all. */
function isGone({ seenAt, startedAt }: Ticket, now: Instant): boolean {
  if (startedAt !== null) return now - startedAt > STUCK;
  return now - Math.max(seenAt, lastEndedAt) > GONE;
}
