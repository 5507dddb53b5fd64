import { beforeEach, expect, test, vi } from "vitest";
import { seconds } from "~/lib/time";
import { createSettingsCache } from "~/platform/published-settings.server";

const DEFAULTS = { version: 0, brand: {}, values: {} };

let stored: unknown;
const get = vi.fn(async (): Promise<unknown> => stored);
const kv = { get } as unknown as KVNamespace;
let read: ReturnType<typeof createSettingsCache>;

beforeEach(() => {
  stored = { version: 3, brand: { name: "Acme IT" }, values: { hourlyRate: 95 } };
  read = createSettingsCache();
  vi.clearAllMocks();
});

test.each([
  ["absent", async (): Promise<unknown> => null],
  ["unreadable", async (): Promise<unknown> => ({ version: "new", brand: {} })],
  ["a text", async (): Promise<unknown> => "a text"],
  ["of an older shape", async (): Promise<unknown> => ({ version: -1 })],
  ["unreachable", async (): Promise<unknown> => Promise.reject(new Error("KV is down"))],
])("without readable settings (%s) the defaults are used", async (_, readResult) => {
  get.mockImplementationOnce(readResult);
  expect(await read(kv, 0)).toEqual(DEFAULTS);
});

test("without the KV binding the defaults are used", async () => {
  expect(await read(undefined as never, 0)).toEqual(DEFAULTS);
});

test("a read of KV times out after a second", async () => {
  vi.useFakeTimers();
  get.mockImplementationOnce(() => new Promise(() => undefined));
  const settings = read(kv, 0);
  await vi.advanceTimersByTimeAsync(seconds(1));
  expect(await settings).toEqual(DEFAULTS);
  vi.useRealTimers();
});

test("the last settings are used while KV is unreachable", async () => {
  await read(kv, 0);
  get.mockRejectedValueOnce(new Error("KV is down"));
  expect(await read(kv, seconds(30))).toEqual(stored);
});

test("a change is visible after half a minute, and KV is not read before", async () => {
  const before = await read(kv, 0);
  stored = { version: 4, brand: {}, values: {} };
  expect(await read(kv, seconds(29))).toBe(before);
  expect(get).toHaveBeenCalledTimes(1);
  expect(await read(kv, seconds(30))).toEqual(stored);
});
