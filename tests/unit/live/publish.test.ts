import { afterEach, expect, test, vi } from "vitest";
import { seconds } from "~/lib/time";
import type { LiveHub } from "~/live/hub.server";
import { livePublisher } from "~/live/publish.server";

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
