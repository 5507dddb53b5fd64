import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { minutes, seconds } from "~/lib/time";
import { watchUserActivity } from "~/live/connect-page.client";
import type { LiveHub } from "~/live/hub.server";
import { HEARTBEAT } from "~/live/protocol";
import { livePublisher } from "~/live/publish.server";
import { fakeBrowser } from "../../support/fake-browser";

const liveEvent = (seq: number) => ({
  v: 1,
  seq,
  type: "new_submission",
  id: `sub_${seq}`,
  label: "Priya Raman",
  at: "2026-11-18T15:00:00.000Z",
});

const hello = (lastSeq: number) => JSON.stringify({ type: "hello", lastSeq });

describe("receiving events", () => {
  test("a new connection asks for all events after those the page shows", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(120)]);
    expect(page.states).toEqual(["live"]);
  });

  test("an event that is sent twice counts once", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    for (const seq of [121, 122, 121, 122, 120]) page.latest().receive(liveEvent(seq));
    expect(page.events).toEqual([121, 122]);
  });

  test("a new event that is sent before the missed ones does not hide them", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    for (const seq of [123, 121, 122, 123]) page.latest().receive(liveEvent(seq));
    expect(page.events).toEqual([123, 121, 122]);
    expect(page.connection.lastSeq()).toBe(123);
  });

  test("after a reset events with lower numbers count again", () => {
    const page = fakeBrowser({ after: 900 });
    page.latest().accept();
    page.latest().receive({ type: "reset" });
    page.latest().receive(liveEvent(7));
    page.latest().receive(liveEvent(8));
    expect(page.resets()).toBe(1);
    expect(page.events).toEqual([7, 8]);
  });

  test("frames that this version does not support are ignored", () => {
    const page = fakeBrowser();
    page.latest().accept();
    for (const frame of [
      null,
      7,
      {},
      { ...liveEvent(1), v: 2 },
      { ...liveEvent(1), type: "party" },
      { type: "pong" },
    ]) {
      page.latest().receive(frame);
    }
    expect(page.events).toEqual([]);
  });
});

test("a page hears who else has a ticket open, which is no event, and says where it is only while it is connected", () => {
  const page = fakeBrowser({ after: 120 });
  page.connection.send("too early");
  page.latest().accept();
  page.connection.send("here");
  page.latest().receive({ type: "here", id: "tkt_1", people: [{ name: "Sam Ortega", writing: true }] });
  page.latest().receive({ type: "here", id: "tkt_1" });
  expect(page.latest().sent).toEqual([hello(120), "here"]);
  expect(page.shown).toEqual([["Sam Ortega"]]);
  expect(page.connection.lastSeq()).toBe(120);
});

describe("reconnecting", () => {
  test("a reconnect continues after the last received event", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    page.latest().receive(liveEvent(125));
    page.advance(minutes(1));
    page.latest().drop();
    page.advance(seconds(5));
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(125)]);
    expect(page.states).toEqual(["live", "paused", "live"]);
  });

  test("reconnects after a deploy are spread over five seconds", () => {
    const page = fakeBrowser({ random: 0.5 });
    page.latest().accept();
    page.advance(seconds(20));
    page.latest().drop(1012);
    page.advance(2_499);
    expect(page.sockets).toHaveLength(1);
    page.advance(1);
    expect(page.sockets).toHaveLength(2);
  });

  test("the delays are 1, 2, 4, … 30 seconds while the hub does not respond", () => {
    const page = fakeBrowser();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const before = page.sockets.length;
      page.latest().drop();
      let delay = 0;
      while (page.sockets.length === before) {
        page.advance(seconds(1));
        delay += 1;
      }
      delays.push(delay);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  test("the delays also grow when the hub accepts a connection and closes it immediately", () => {
    const page = fakeBrowser();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      page.latest().accept();
      page.latest().drop();
      page.advance(seconds(8));
    }
    const before = page.sockets.length;
    page.latest().accept();
    page.latest().drop();
    page.advance(seconds(15));
    expect(page.sockets).toHaveLength(before);
  });

  test("a connection that breaks without a close event is replaced", () => {
    const page = fakeBrowser();
    page.latest().accept();
    page.advance(seconds(45));
    expect(page.latest().sent.at(-1)).toBe(HEARTBEAT);
    page.advance(seconds(45));
    expect(page.states).toEqual(["live", "paused"]);
    page.advance(seconds(1));
    expect(page.sockets).toHaveLength(2);
  });

  test("a connection with responses to its heartbeats is kept", () => {
    const page = fakeBrowser();
    page.latest().accept();
    for (let count = 0; count < 10; count += 1) {
      page.advance(seconds(45));
      page.latest().receive(JSON.parse(HEARTBEAT));
    }
    expect(page.sockets).toHaveLength(1);
    expect(page.states).toEqual(["live"]);
  });
});

describe("staying disconnected", () => {
  test.each([4401, 4403])("the connection stops for good when the hub closes it with %i", (code) => {
    const page = fakeBrowser();
    page.latest().accept();
    page.latest().drop(code);
    page.advance(minutes(60));
    page.connection.wake();
    expect(page.sockets).toHaveLength(1);
    expect(page.states).toEqual(["live", "paused"]);
  });

  test("a page replaced by a newer one reconnects only when somebody returns to it", () => {
    const page = fakeBrowser();
    page.latest().accept();
    page.latest().drop(4409);
    page.advance(minutes(60));
    expect(page.sockets).toHaveLength(1);
    page.connection.wake();
    expect(page.sockets).toHaveLength(2);
  });

  test("a pause lasts until the person resumes, and then the missed events are requested", () => {
    const page = fakeBrowser({ after: 5 });
    page.latest().accept();
    page.connection.pause();
    expect(page.latest().closedByPage).toBe(true);
    page.latest().drop(1000);
    page.advance(minutes(10));
    page.connection.wake();
    expect(page.sockets).toHaveLength(1);
    page.connection.resume();
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(5)]);
    expect(page.states).toEqual(["live", "paused", "connecting", "live"]);
  });

  test("a page loaded while paused does not connect", () => {
    const page = fakeBrowser({ paused: true });
    expect(page.sockets).toEqual([]);
    expect(page.states).toEqual(["paused"]);
    page.connection.resume();
    expect(page.sockets).toHaveLength(1);
  });

  test("a page hidden for five minutes closes its socket, and reconnects when it is visible again", () => {
    const page = fakeBrowser({ after: 5 });
    page.latest().accept();
    page.connection.hide();
    page.advance(minutes(1));
    page.latest().receive(liveEvent(6));
    expect(page.latest().closedByPage).toBe(false);
    for (let count = 0; count < 10; count += 1) {
      page.latest().receive({ type: "pong" });
      page.advance(seconds(30));
    }
    expect(page.latest().closedByPage).toBe(true);
    page.advance(minutes(30));
    expect(page.sockets).toHaveLength(1);
    page.connection.wake();
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(6)]);
  });

  test("a page that unloads leaves no timer and no socket", () => {
    const page = fakeBrowser();
    page.latest().accept();
    page.connection.hide();
    page.connection.end();
    page.latest().drop(1000);
    page.connection.resume();
    expect(page.hasTimers()).toBe(false);
    expect(page.sockets).toHaveLength(1);
  });
});

describe("publishing an event", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Returns hubs of which every call behaves like this. */
  const hubsWith = (call: () => Promise<void>) =>
    ({
      idFromName: (name: string) => name,
      get: () => ({ notify: call, disconnect: call }),
    }) as unknown as DurableObjectNamespace<LiveHub>;

  test("a call to a hub times out after two seconds", async () => {
    vi.useFakeTimers();
    const line = vi.spyOn(console, "warn").mockReturnValue();
    const notified = livePublisher(hubsWith(() => new Promise(() => undefined))).notify("staff");
    await vi.advanceTimersByTimeAsync(seconds(2));
    await notified;
    expect(line).toHaveBeenCalledOnce();
  });

  test("the failure of a hub is logged without the values in its message", async () => {
    const line = vi.spyOn(console, "warn").mockReturnValue();
    const hubs = hubsWith(async () => {
      throw new Error('Internal error near "priya@larkspur.example"\n  at somewhere');
    });
    await livePublisher(hubs).disconnect("staff", "u:1");
    expect(JSON.parse(String(line.mock.calls[0]?.[0]))).toEqual({
      level: "warn",
      event: "live_disconnect_failed",
      reason: "Error: Internal error near …",
    });
  });
});

describe("whether somebody is there", () => {
  const page = { visibilityState: "visible" };

  let input = new EventTarget();

  beforeEach(() => {
    vi.useFakeTimers();
    input = new EventTarget();
    page.visibilityState = "visible";
    vi.stubGlobal("window", input);
    vi.stubGlobal("document", page);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test("a page that nobody has used for ten minutes is idle until somebody uses it", () => {
    const onReturn = vi.fn();
    const activity = watchUserActivity(onReturn);
    vi.advanceTimersByTime(minutes(9));
    expect(activity.isActive()).toBe(true);
    vi.advanceTimersByTime(minutes(1));
    expect(activity.isActive()).toBe(false);
    input.dispatchEvent(new Event("keydown"));
    expect(activity.isActive()).toBe(true);
    expect(onReturn).toHaveBeenCalledOnce();
  });

  test("a hidden page is idle", () => {
    const activity = watchUserActivity(() => undefined);
    page.visibilityState = "hidden";
    expect(activity.isActive()).toBe(false);
  });

  test("somebody who uses an active page has not returned", () => {
    const onReturn = vi.fn();
    watchUserActivity(onReturn);
    input.dispatchEvent(new Event("pointerdown"));
    expect(onReturn).not.toHaveBeenCalled();
  });

  test("nothing is watched after the end", () => {
    const onReturn = vi.fn();
    watchUserActivity(onReturn).stop();
    vi.advanceTimersByTime(minutes(20));
    input.dispatchEvent(new Event("wheel"));
    expect(onReturn).not.toHaveBeenCalled();
  });
});
