import { vi } from "vitest";

/**
 * Stands in for time as the platform has it: while code runs, all clocks show when the last timer fired or the last
 * request arrived, however long that is ago, and timers count from there. For tests on Node.
 */
export function platformTime() {
  let real = 0;
  let shown = 0;
  let requests = 0;
  let running = 0;
  let timers: { at: number; request: number; fire: () => void }[] = [];

  vi.spyOn(Date, "now").mockImplementation(() => shown);
  vi.spyOn(performance, "now").mockImplementation(() => shown);
  vi.stubGlobal("setTimeout", (fire: () => void, length = 0) => {
    timers.push({ at: shown + length, request: running, fire });
  });

  /** Runs code of a request until it waits for something. */
  async function enter(request: number, code: () => void) {
    [running, shown] = [request, real];
    code();
    await new Promise((resolve) => setImmediate(resolve));
  }

  return {
    /** Returns the time that has really passed, in milliseconds. No code of the platform can ask for it. */
    real: () => real,
    /** Lets code run for this long, such as a hash. */
    work: (length: number) => {
      real += length;
    },
    /** Starts a request. `cancel` does what the runtime does when its browser is gone: its timers do not fire. */
    async request<Result>(handle: () => Promise<Result>) {
      requests += 1;
      const id = requests;
      let result!: Promise<Result>;
      await enter(id, () => {
        result = handle();
        result.catch(() => undefined);
      });
      const cancel = () => {
        timers = timers.filter(({ request }) => request !== id);
      };
      return { result, cancel };
    },
    /** Lets timers fire until none is left, or this much time has passed. */
    async pass(length = Number.POSITIVE_INFINITY) {
      const until = real + length;
      for (;;) {
        timers.sort((left, right) => left.at - right.at);
        const next = timers[0];
        if (!next || next.at > until) return;
        timers.shift();
        real = Math.max(real, next.at);
        await enter(next.request, next.fire);
      }
    },
  };
}
