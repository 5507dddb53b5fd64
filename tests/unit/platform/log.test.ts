import { afterEach, expect, test, vi } from "vitest";
import { describeError } from "~/lib/errors";
import { log, logOnlyJson } from "~/platform/log.server";

afterEach(() => vi.restoreAllMocks());

test("a log line contains only fields of the list", () => {
  const line = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const secrets = {
    password: "Demo!Pass2026",
    cookie: "__Host-sid=abc",
    code: "123456",
    email: "dana@clinic.example",
    body: "first_name=Dana",
    authorization: "Bearer x",
  };
  log("warn", { event: "denied", request_id: "r1", ...secrets });
  const written = String(line.mock.calls[0]?.[0]);
  for (const secret of Object.values(secrets)) expect(written).not.toContain(secret);
  expect(JSON.parse(written)).toEqual({ level: "warn", event: "denied", request_id: "r1" });
});

test("a log line stays one line, whatever a path contains", () => {
  const line = vi.spyOn(console, "info").mockImplementation(() => undefined);
  log("info", { event: "x", path: 'a\n{"level":"error"}\u001b[31m' });
  const written = String(line.mock.calls[0]?.[0]);
  expect(written).not.toContain("\n");
  expect(written).not.toContain("\u001b");
});

test("an error is described by its name and cause, without quoted values", () => {
  const cause = new Error('D1_ERROR: UNIQUE constraint failed for "dana@clinic.example"');
  const described = describeError(new Error("Failed query: insert into users\nparams: dana@clinic.example", { cause }));
  expect(described).toContain("D1_ERROR: UNIQUE constraint failed");
  expect(described).not.toContain("dana@clinic.example");
});

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
