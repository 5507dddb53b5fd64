import { afterEach, expect, test, vi } from "vitest";
import { describeError } from "~/lib/errors";
import { log } from "~/platform/log.server";

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
