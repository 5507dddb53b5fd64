import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { minutes } from "~/lib/time";
import { watchUserActivity } from "~/live/use-live";

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
