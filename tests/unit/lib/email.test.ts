import { expect, test } from "vitest";
import { looksLikeEmail, normalizeEmail } from "~/lib/email";

test.each([
  "a@b.example",
  "first.last+tag@sub.domain.example",
  "ü@straße.example",
  " padded@clinic.example ",
])("%j looks like an address", (text) => expect(looksLikeEmail(text)).toBe(true));

test.each([
  "",
  "plain",
  "@b.example",
  "a@",
  "a@b",
  "a b@c.example",
  "a@b..example",
  "a@.example",
  "a@b@c.example",
])("%j does not look like an address", (text) => expect(looksLikeEmail(text)).toBe(false));

test("a hundred thousand dots are judged at once", () => {
  const started = performance.now();
  expect(looksLikeEmail(`a@${".".repeat(100_000)}b`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1_000);
});

test("upper case and international domains are normalized", () => {
  expect(normalizeEmail("  Dana@BÜCHER.Example ")).toBe("dana@xn--bcher-kva.example");
});
