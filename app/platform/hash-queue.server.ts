import { seconds } from "~/lib/time";

/** Thrown when too many passwords wait to be hashed in this isolate: answered with 503 and `Retry-After: 2`. */
export class HashingSaturated extends Error {
  override name = "HashingSaturated";
}

/** Hashes admitted at once; of these one runs and the others wait their turn. */
const SLOTS = 4;
const PATIENCE = seconds(2);

let taken = 0;
let turn: Promise<unknown> = Promise.resolve();
const waiting = new Set<() => void>();

/**
 * Runs one slow hash. The runtime executes scrypt synchronously, so hashes run one after the other with a pause for
 * the event loop in between: any other request of the isolate waits for at most one hash.
 */
export async function inHashQueue<Value>(hash: () => Value): Promise<Value> {
  if (taken >= SLOTS) await slotOrRefusal();
  taken += 1;
  const mine = turn.then(async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return hash();
  });
  turn = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    taken -= 1;
    const next = waiting.values().next().value;
    next?.();
  }
}

function slotOrRefusal(): Promise<void> {
  return new Promise((resolve, reject) => {
    const admitted = () => {
      clearTimeout(timer);
      waiting.delete(admitted);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(admitted);
      reject(new HashingSaturated("No slot for hashing became free"));
    }, PATIENCE);
    waiting.add(admitted);
  });
}
