import { expect, test } from "vitest";
import { isEmailAddress, normalizeEmail } from "~/lib/email";

test.each([
  "a@b.example",
  "first.last+tag@sub.domain.example",
  "o'neil_jr=x@b.example",
  "ü@straße.example",
  " padded@clinic.example ",
])("%j is an address", (text) => expect(isEmailAddress(text)).toBe(true));

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
])("%j is not an address", (text) => expect(isEmailAddress(text)).toBe(false));

test.each([
  "a?bcc=evil@b.example",
  "a&subject=paid@b.example",
  "a#b@c.example",
  '"a?b"@c.example',
  "a,evil@b.example",
  "Dana <dana@b.example>",
  "a\u0000@b.example",
  "a\u202Eb@c.example",
  "a@b.example?subject=x",
  "a@b.example/path",
  "a@b.example#x",
  "a@b&c.example",
])("%j is not an address, because a link or a mail system reads more than one recipient in it", (text) =>
  expect(isEmailAddress(text)).toBe(false));

test("a million dots are judged in linear time: by their square, this would not come to an end", () => {
  expect(isEmailAddress(`a@${".".repeat(1_000_000)}b`)).toBe(false);
});

test("upper case and international domains are normalized", () => {
  expect(normalizeEmail("  Dana@BÜCHER.Example ")).toBe("dana@xn--bcher-kva.example");
});
