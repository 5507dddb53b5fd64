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

test("a million dots are judged in linear time: by their square, this would not come to an end", () => {
  expect(looksLikeEmail(`a@${".".repeat(1_000_000)}b`)).toBe(false);
});

test("upper case and international domains are normalized", () => {
  expect(normalizeEmail("  Dana@BÜCHER.Example ")).toBe("dana@xn--bcher-kva.example");
});
