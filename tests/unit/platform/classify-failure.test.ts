import { expect, test } from "vitest";
import { classifyFailure } from "~/platform/failure-pages.server";
import { HashQueueFullError } from "~/platform/hash-queue.server";

test.each([
  ["a broken connection", 503, new Error("Failed query", { cause: new Error("D1_ERROR: Network connection lost") })],
  ["an overloaded database", 503, new Error("D1 DB is overloaded. Too many requests queued.")],
  ["a table that does not exist yet", 503, new Error("D1_ERROR: no such table: users: SQLITE_ERROR")],
  ["a file store that is down", 503, new Error("put: We encountered an internal error. Please try again. (10001)")],
  ["a full hash queue", 503, new HashQueueFullError("full")],
  ["a full hash queue of the other bundle", 503, Object.assign(new Error("full"), { name: "HashQueueFullError" })],
  ["a bug of ours", 500, new TypeError("Cannot read properties of undefined")],
  ["a thrown value that is not an error", 500, "oops"],
])("%s is answered with %s", (_, status, error) => {
  expect(classifyFailure(error).status).toBe(status);
});

test("Retry-After is set only when a retry can help", () => {
  expect(classifyFailure(new HashQueueFullError("full")).retryAfterSeconds).toBe(2);
  expect(classifyFailure(new TypeError("x")).retryAfterSeconds).toBeUndefined();
});
