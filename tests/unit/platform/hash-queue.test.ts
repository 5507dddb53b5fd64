import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isHashQueueFull, runInHashQueue } from "~/platform/hash-queue.server";
import { platformTime } from "../../support/platform-time";

let time: ReturnType<typeof platformTime>;

beforeEach(() => {
  time = platformTime();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Hashed = { name: number; from: number; to: number };

/** Asks for hashes all at once, each of which takes so long. Returns those that were made, in their order. */
async function hashAtOnce(count: number, length = 100) {
  const hashes: Hashed[] = [];
  const requests = [];
  for (let name = 0; name < count; name += 1) {
    const hash = () => {
      const from = time.real();
      time.work(length);
      hashes.push({ name, from, to: time.real() });
    };
    requests.push(await time.request(() => runInHashQueue(hash)));
  }
  return { hashes, requests };
}

test("between two hashes other requests of the isolate have twenty milliseconds", async () => {
  const { hashes } = await hashAtOnce(5);
  await time.pass();
  expect(hashes).toHaveLength(5);
  for (const [index, { from }] of hashes.entries()) {
    if (index > 0) expect(from - (hashes[index - 1] as Hashed).to).toBeGreaterThanOrEqual(20);
  }
});

test.each([100, 400, 3_000])("those who wait keep their order while hashes take %d milliseconds", async (length) => {
  const { hashes } = await hashAtOnce(12, length);
  await time.pass();
  expect(hashes.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, name) => name));
});

test.each([
  1, 100, 1_000,
])("of sixty at once the same ones are told to come back when a hash takes %d milliseconds", async (length) => {
  const { hashes, requests } = await hashAtOnce(60, length);
  await time.pass();
  const outcomes = await Promise.allSettled(requests.map(({ result }) => result));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.every(({ reason }) => isHashQueueFull(reason))).toBe(true);
  // Sixteen with a place, after the fifteen whose turn it was before the others gave up.
  expect(hashes).toHaveLength(31);
  expect(refused).toHaveLength(60 - 31);
});

test("whoever is gone holds up nobody, and the others keep their order", async () => {
  const { hashes, requests } = await hashAtOnce(9);
  for (const [index, { cancel }] of requests.entries()) if (index % 3 === 0) cancel();
  await time.pass();
  expect(hashes.map(({ name }) => name)).toEqual([1, 2, 4, 5, 7, 8]);
  // Without those who are gone it takes six hashes and their pauses.
  expect(hashes.at(-1)?.to).toBeLessThan(6 * 140 + 400);
});

test("when everybody who filled the queue is gone, the next one is served", async () => {
  const { requests } = await hashAtOnce(50);
  for (const { cancel } of requests) cancel();
  await time.pass();
  const before = time.real();
  const next = await time.request(() => runInHashQueue(() => "hashed"));
  await time.pass();
  expect(await next.result).toBe("hashed");
  expect(time.real() - before).toBeLessThan(500);
});

test("a hash that fails leaves the queue to the next one", async () => {
  const failing = await time.request(() =>
    runInHashQueue(() => {
      throw new Error("No memory");
    }),
  );
  const { hashes } = await hashAtOnce(1);
  await time.pass();
  await expect(failing.result).rejects.toThrow("No memory");
  expect(hashes).toHaveLength(1);
});
