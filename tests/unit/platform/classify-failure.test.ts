import { expect, test } from "vitest";
import { classifyFailure } from "~/platform/classify-failure.server";
import { HashQueueFullError } from "~/platform/hash-queue.server";

test.each([
  ["a broken connection", new Error("Failed query", { cause: new Error("D1_ERROR: Network connection lost") }), 503],
  ["an overloaded database", new Error("D1 DB is overloaded. Too many requests queued."), 503],
  ["a table that does not exist yet", new Error("D1_ERROR: no such table: users: SQLITE_ERROR"), 503],
  ["a full hash queue", new HashQueueFullError("full"), 503],
  ["a bug of ours", new TypeError("Cannot read properties of undefined"), 500],
  ["a thrown value that is not an error", "oops", 500],
])("%s has the right status", (_, error, status) => {
  expect(classifyFailure(error).status).toBe(status);
});

test("Retry-After is set only when a retry can help", () => {
  expect(classifyFailure(new HashQueueFullError("full")).retryAfterSeconds).toBe(2);
  expect(classifyFailure(new TypeError("x")).retryAfterSeconds).toBeUndefined();
});
