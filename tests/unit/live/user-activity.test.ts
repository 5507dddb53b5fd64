import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { minutes } from "~/lib/time";
import { watchAttention } from "~/live/attention";

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

test("a screen nobody has touched for ten minutes is unattended until somebody does", () => {
  const onReturn = vi.fn();
  const attention = watchAttention(onReturn);
  vi.advanceTimersByTime(minutes(9));
  expect(attention.isAttended()).toBe(true);
  vi.advanceTimersByTime(minutes(1));
  expect(attention.isAttended()).toBe(false);
  input.dispatchEvent(new Event("keydown"));
  expect(attention.isAttended()).toBe(true);
  expect(onReturn).toHaveBeenCalledOnce();
});

test("a screen out of sight is unattended", () => {
  const attention = watchAttention(() => undefined);
  page.visibilityState = "hidden";
  expect(attention.isAttended()).toBe(false);
});

test("somebody who was there all along has not returned", () => {
  const onReturn = vi.fn();
  watchAttention(onReturn);
  input.dispatchEvent(new Event("pointerdown"));
  expect(onReturn).not.toHaveBeenCalled();
});

test("after the end it listens no more", () => {
  const onReturn = vi.fn();
  watchAttention(onReturn).stop();
  vi.advanceTimersByTime(minutes(20));
  input.dispatchEvent(new Event("wheel"));
  expect(onReturn).not.toHaveBeenCalled();
});
