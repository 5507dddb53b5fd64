import { type LiveState, openLiveConnection } from "~/live/connection";
import type { LiveEventFrame } from "~/live/protocol";

/** Plays the hub's side of one connection. */
class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  sent: string[] = [];
  closedByPage = false;

  send(text: string) {
    this.sent.push(text);
  }

  close() {
    this.closedByPage = true;
  }

  accept() {
    this.onopen?.();
  }

  receive(frame: unknown) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  drop(code = 1006) {
    this.onclose?.({ code });
  }
}

/** Returns a live connection in a browser whose clock, random numbers and network the test controls. */
export function fakeBrowser({ after = 0, paused = false, random = 0 } = {}) {
  let time = 0;
  let timers: { at: number; callback: () => void }[] = [];
  const sockets: FakeSocket[] = [];
  const states: LiveState[] = [];
  const events: number[] = [];
  let resets = 0;
  const shown: string[][] = [];
  const connection = openLiveConnection(
    {
      openSocket: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      now: () => time,
      random: () => random,
      setTimer: (delay, callback) => {
        const timer = { at: time + delay, callback };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
    },
    { after, paused },
    {
      onPresence: ({ people }) => shown.push(people.map(({ name }) => name)),
      onState: (state) => states.push(state),
      onEvent: (event: LiveEventFrame) => events.push(event.seq),
      onReset: () => {
        resets += 1;
      },
    },
  );
  const advance = (duration: number) => {
    const end = time + duration;
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)[0];
      if (!next) break;
      timers = timers.filter((timer) => timer !== next);
      time = next.at;
      next.callback();
    }
    time = end;
  };
  const latest = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error("No socket was opened");
    return socket;
  };
  const hasTimers = () => timers.length > 0;
  return { connection, sockets, states, events, shown, latest, advance, resets: () => resets, hasTimers };
}
