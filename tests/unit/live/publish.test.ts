import { afterEach, expect, test, vi } from "vitest";
import { seconds } from "~/lib/time";
import type { LiveHub } from "~/live/hub.server";
import { livePublisher } from "~/live/publish.server";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The hubs of a platform on which every call ends like this. */
const hubsThat = (call: () => Promise<void>) =>
  ({
    idFromName: (name: string) => name,
    get: () => ({ notify: call, disconnect: call }),
  }) as unknown as DurableObjectNamespace<LiveHub>;

test("a hub that does not answer is given up after two seconds", async () => {
  vi.useFakeTimers();
  const line = vi.spyOn(console, "warn").mockReturnValue();
  const notified = livePublisher(hubsThat(() => new Promise(() => undefined))).notify("staff");
  await vi.advanceTimersByTimeAsync(seconds(2));
  await notified;
  expect(line).toHaveBeenCalledOnce();
});

test("a hub that fails is a line in the log, without the values in its message", async () => {
  const line = vi.spyOn(console, "warn").mockReturnValue();
  const hubs = hubsThat(async () => {
    throw new Error('Internal error near "priya@larkspur.example"\n  at somewhere');
  });
  await livePublisher(hubs).disconnect("staff", "u:1");
  expect(JSON.parse(String(line.mock.calls[0]?.[0]))).toEqual({
    level: "warn",
    event: "live_disconnect_failed",
    reason: "Error: Internal error near …",
  });
});
