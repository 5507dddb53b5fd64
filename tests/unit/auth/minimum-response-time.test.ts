import { afterEach, expect, test, vi } from "vitest";
import { minimumResponseTime } from "~/features/auth/passwords.server";
import { newToken } from "~/platform/crypto.server";
import { platformTime } from "../../support/platform-time";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const ctx = { now: () => Date.now(), newToken };
const timer = (length: number) => new Promise<void>((resolve) => setTimeout(resolve, length));

test.each([
  ["nothing is stored after the hash", 100, null],
  ["the database answers after the hash", 100, 5],
  ["nothing is hashed", 0, 5],
])("where %s, the response takes the same least time by a clock that stands still", async (_, hash, database) => {
  const time = platformTime();
  await time.request(async () => {
    const startedAt = ctx.now();
    await timer(3);
    time.work(hash);
    if (database !== null) await timer(database);
    await minimumResponseTime(ctx, startedAt, timer);
  });
  await time.pass();
  expect(time.real()).toBeGreaterThanOrEqual(400);
  expect(time.real()).toBeLessThanOrEqual(486);
});
