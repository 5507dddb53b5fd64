import { afterEach, expect, test, vi } from "vitest";
import { logOnlyJson } from "~/platform/log.server";

afterEach(() => vi.restoreAllMocks());

/** Writes a value to a console of its own, and returns the line it wrote, or the line of our logger in its place. */
function lineFor(value: unknown): { own: unknown[]; ours: unknown[] } {
  const [own, ours] = [[] as unknown[], [] as unknown[]];
  const write = (...values: unknown[]) => own.push(...values);
  const target = { debug: write, log: write, info: write, warn: write, error: write };
  vi.spyOn(console, "warn").mockImplementation((line) => ours.push(JSON.parse(String(line))));
  logOnlyJson(target);
  target.warn(value, { second: "value" });
  return { own, ours };
}

test("a line of our loggers is written as it is", () => {
  const line = JSON.stringify({ level: "warn", event: "denied", path: "/admin" });
  expect(lineFor(line)).toEqual({ own: [line], ours: [] });
});

test("of the framework's line about a malformed address only the words are left", () => {
  const text = 'The URL path "/jo@larkspur.example/%ff" could not be decoded (URIError: URI malformed).';
  const reason = "The URL path could not be decoded URIError URI malformed";
  expect(lineFor(text)).toEqual({ own: [], ours: [{ level: "warn", event: "library", reason }] });
});

test.each([
  "normalizing /secret//x -> /secret/x",
  "see https://secret.example?secret=1",
  "for 'secret' and `secret`",
  "mail secret@larkspur.example now",
  { secret: 1 },
  ["secret"],
  "a\nsecret=1",
])("no value of %j is written", (value) => {
  const { own, ours } = lineFor(value);
  expect(own).toEqual([]);
  expect(ours).toHaveLength(1);
  expect(JSON.stringify(ours)).not.toContain("secret");
});

test("an error is written with its words only", () => {
  const { ours } = lineFor(new TypeError("cannot read 'secret' of /secret"));
  expect(ours).toEqual([{ level: "warn", event: "library", reason: "TypeError cannot read of" }]);
});
