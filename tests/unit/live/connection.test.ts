import { describe, expect, test } from "vitest";
import { minutes, seconds } from "~/lib/time";
import { HEARTBEAT } from "~/live/protocol";
import { fakeBrowser } from "../../support/fake-browser";

const note = (seq: number) => ({
  v: 1,
  seq,
  type: "new_submission",
  id: `sub_${seq}`,
  label: "Priya Raman",
  at: "2026-11-18T15:00:00.000Z",
});

const hello = (lastSeq: number) => JSON.stringify({ type: "hello", lastSeq });

describe("hearing", () => {
  test("asks for everything after what the page shows", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(120)]);
    expect(page.states).toEqual(["live"]);
  });

  test("an event that comes twice counts once", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    for (const seq of [121, 122, 121, 122, 120]) page.latest().tell(note(seq));
    expect(page.notes).toEqual([121, 122]);
  });

  test("a new event that overtakes the missed ones does not hide them", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    for (const seq of [123, 121, 122, 123]) page.latest().tell(note(seq));
    expect(page.notes).toEqual([123, 121, 122]);
    expect(page.connection.lastSeq()).toBe(123);
  });

  test("after a reset the page starts afresh, whatever the numbers were", () => {
    const page = fakeBrowser({ after: 900 });
    page.latest().accept();
    page.latest().tell({ type: "reset" });
    page.latest().tell(note(7));
    page.latest().tell(note(8));
    expect(page.resets()).toBe(1);
    expect(page.notes).toEqual([7, 8]);
  });

  test("what this version does not know is passed over", () => {
    const page = fakeBrowser();
    page.latest().accept();
    for (const frame of [null, 7, {}, { ...note(1), v: 2 }, { ...note(1), type: "party" }, { type: "pong" }]) {
      page.latest().tell(frame);
    }
    expect(page.notes).toEqual([]);
  });
});

describe("coming back", () => {
  test("goes on after the last event it heard", () => {
    const page = fakeBrowser({ after: 120 });
    page.latest().accept();
    page.latest().tell(note(125));
    page.pass(minutes(1));
    page.latest().drop();
    page.pass(seconds(5));
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(125)]);
    expect(page.states).toEqual(["live", "paused", "live"]);
  });

  test("spreads the return after a deploy over five seconds", () => {
    const page = fakeBrowser({ chance: 0.5 });
    page.latest().accept();
    page.pass(seconds(20));
    page.latest().drop(1012);
    page.pass(2_499);
    expect(page.sockets).toHaveLength(1);
    page.pass(1);
    expect(page.sockets).toHaveLength(2);
  });

  test("waits 1, 2, 4, … 30 seconds while nobody answers", () => {
    const page = fakeBrowser();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const before = page.sockets.length;
      page.latest().drop();
      let waited = 0;
      while (page.sockets.length === before) {
        page.pass(seconds(1));
        waited += 1;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  test("a hub that accepts and drops at once is not hammered", () => {
    const page = fakeBrowser();
    for (let attempt = 0; attempt < 4; attempt += 1) {
      page.latest().accept();
      page.latest().drop();
      page.pass(seconds(8));
    }
    const before = page.sockets.length;
    page.latest().accept();
    page.latest().drop();
    page.pass(seconds(15));
    expect(page.sockets).toHaveLength(before);
  });

  test("notices a line that died without a word", () => {
    const page = fakeBrowser();
    page.latest().accept();
    page.pass(seconds(45));
    expect(page.latest().sent.at(-1)).toBe(HEARTBEAT);
    page.pass(seconds(45));
    expect(page.states).toEqual(["live", "paused"]);
    page.pass(seconds(1));
    expect(page.sockets).toHaveLength(2);
  });

  test("a heartbeat that is answered keeps the line", () => {
    const page = fakeBrowser();
    page.latest().accept();
    for (let beats = 0; beats < 10; beats += 1) {
      page.pass(seconds(45));
      page.latest().tell(JSON.parse(HEARTBEAT));
    }
    expect(page.sockets).toHaveLength(1);
    expect(page.states).toEqual(["live"]);
  });
});

describe("staying away", () => {
  test.each([4401, 4403])("stops for good when the hub closes with %i", (code) => {
    const page = fakeBrowser();
    page.latest().accept();
    page.latest().drop(code);
    page.pass(minutes(60));
    page.connection.wake();
    expect(page.sockets).toHaveLength(1);
    expect(page.states).toEqual(["live", "paused"]);
  });

  test("a screen replaced by a newer one waits until somebody returns to it", () => {
    const page = fakeBrowser();
    page.latest().accept();
    page.latest().drop(4409);
    page.pass(minutes(60));
    expect(page.sockets).toHaveLength(1);
    page.connection.wake();
    expect(page.sockets).toHaveLength(2);
  });

  test("a pause lasts until it is ended, and then nothing was missed", () => {
    const page = fakeBrowser({ after: 5 });
    page.latest().accept();
    page.connection.pause();
    expect(page.latest().closedByPage).toBe(true);
    page.latest().drop(1000);
    page.pass(minutes(10));
    page.connection.wake();
    expect(page.sockets).toHaveLength(1);
    page.connection.resume();
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(5)]);
    expect(page.states).toEqual(["live", "paused", "connecting", "live"]);
  });

  test("a page that was paused before it loaded does not connect", () => {
    const page = fakeBrowser({ paused: true });
    expect(page.sockets).toEqual([]);
    expect(page.states).toEqual(["paused"]);
    page.connection.resume();
    expect(page.sockets).toHaveLength(1);
  });

  test("a page out of sight for five minutes gives its socket back, and returns when it is looked at", () => {
    const page = fakeBrowser({ after: 5 });
    page.latest().accept();
    page.connection.hide();
    page.pass(minutes(1));
    page.latest().tell(note(6));
    expect(page.latest().closedByPage).toBe(false);
    for (let passed = 0; passed < 10; passed += 1) {
      page.latest().tell({ type: "pong" });
      page.pass(seconds(30));
    }
    expect(page.latest().closedByPage).toBe(true);
    page.pass(minutes(30));
    expect(page.sockets).toHaveLength(1);
    page.connection.wake();
    page.latest().accept();
    expect(page.latest().sent).toEqual([hello(6)]);
  });

  test("a page that goes away leaves nothing running", () => {
    const page = fakeBrowser();
    page.latest().accept();
    page.connection.hide();
    page.connection.end();
    page.latest().drop(1000);
    page.connection.resume();
    expect(page.idle()).toBe(true);
    expect(page.sockets).toHaveLength(1);
  });
});
