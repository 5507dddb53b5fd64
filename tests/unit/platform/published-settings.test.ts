import { beforeEach, expect, test, vi } from "vitest";
import { seconds } from "~/lib/time";
import { createSiteCopyReader } from "~/platform/site-copy.server";

const DEFAULTS = { version: 0, brand: {} };

let stored: unknown;
const get = vi.fn(async (): Promise<unknown> => stored);
const kv = { get } as unknown as KVNamespace;
let read: ReturnType<typeof createSiteCopyReader>;

beforeEach(() => {
  stored = { version: 3, brand: { name: "Acme IT" } };
  read = createSiteCopyReader();
  vi.clearAllMocks();
});

test.each([
  ["absent", async (): Promise<unknown> => null],
  ["unreadable", async (): Promise<unknown> => ({ version: "new", brand: {} })],
  ["of an older shape", async (): Promise<unknown> => ({ version: -1 })],
  ["out of reach", async (): Promise<unknown> => Promise.reject(new Error("KV is down"))],
])("a copy that is %s stands for the defaults", async (_, answer) => {
  get.mockImplementationOnce(answer);
  expect(await read(kv, 0)).toEqual(DEFAULTS);
});

test("without the binding the defaults stand", async () => {
  expect(await read(undefined as never, 0)).toEqual(DEFAULTS);
});

test("a store that never answers holds up nobody for long", async () => {
  vi.useFakeTimers();
  get.mockImplementationOnce(() => new Promise(() => undefined));
  const copy = read(kv, 0);
  await vi.advanceTimersByTimeAsync(seconds(1));
  expect(await copy).toEqual(DEFAULTS);
  vi.useRealTimers();
});

test("what was known stays while the store is out of reach", async () => {
  await read(kv, 0);
  get.mockRejectedValueOnce(new Error("KV is down"));
  expect(await read(kv, seconds(30))).toEqual(stored);
});

test("a change shows after half a minute, and the store is not asked before", async () => {
  const before = await read(kv, 0);
  stored = { version: 4, brand: {} };
  expect(await read(kv, seconds(29))).toBe(before);
  expect(get).toHaveBeenCalledTimes(1);
  expect(await read(kv, seconds(30))).toEqual(stored);
});
