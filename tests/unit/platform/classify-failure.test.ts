import { expect, test } from "vitest";
import { HashingSaturated } from "~/platform/hash-queue.server";
import { classifyFailure } from "~/platform/outage.server";

test.each([
  ["a broken connection", new Error("Failed query", { cause: new Error("D1_ERROR: Network connection lost") }), 503],
  ["an overloaded database", new Error("D1 DB is overloaded. Too many requests queued."), 503],
  ["a table that is not there yet", new Error("D1_ERROR: no such table: users: SQLITE_ERROR"), 503],
  ["a full hash queue", new HashingSaturated("full"), 503],
  ["a bug of ours", new TypeError("Cannot read properties of undefined"), 500],
  ["something that is no error at all", "oops", 500],
])("%s is answered as what it is", (_, error, status) => {
  expect(classifyFailure(error).status).toBe(status);
});

test("a person is told to try again only where trying again can help", () => {
  expect(classifyFailure(new HashingSaturated("full")).retryAfterSeconds).toBe(2);
  expect(classifyFailure(new TypeError("x")).retryAfterSeconds).toBeUndefined();
});
