import { type LiveState, openLiveConnection } from "~/live/connection";
import type { LiveEventFrame } from "~/live/protocol";

/** The far end of one attempt to connect. */
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

  tell(frame: unknown) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  drop(code = 1006) {
    this.onclose?.({ code });
  }
}

/** A browser whose clock, dice and network the test holds in its hands. */
export function fakeBrowser({ after = 0, paused = false, chance = 0 } = {}) {
  let time = 0;
  let timers: { at: number; work: () => void }[] = [];
  const sockets: FakeSocket[] = [];
  const states: LiveState[] = [];
  const notes: number[] = [];
  let resets = 0;
  const connection = openLiveConnection(
    {
      open: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      now: () => time,
      random: () => chance,
      later: (delay, work) => {
        const timer = { at: time + delay, work };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
    },
    { after, paused },
    {
      onState: (state) => states.push(state),
      onEvent: (note: LiveEventFrame) => notes.push(note.seq),
      onReset: () => {
        resets += 1;
      },
    },
  );
  const pass = (duration: number) => {
    const end = time + duration;
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)[0];
      if (!next) break;
      timers = timers.filter((timer) => timer !== next);
      time = next.at;
      next.work();
    }
    time = end;
  };
  const latest = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error("Nothing was opened");
    return socket;
  };
  return { connection, sockets, states, notes, latest, pass, resets: () => resets, idle: () => timers.length === 0 };
}
