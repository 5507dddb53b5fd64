import { expect, test } from "vitest";
import { isEmailAddress, mailboxOf, mailtoHref, normalizeEmail, telHref } from "~/lib/email";

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

test.each([
  ["priya@larkspur.example", "priya@larkspur.example"],
  [" Priya+News@Larkspur.example", "priya@larkspur.example"],
  ["priya+1+2@larkspur.example", "priya@larkspur.example"],
  ["p.raman@larkspur.example", "p.raman@larkspur.example"],
  ["p.r.aman+x@gmail.com", "praman@gmail.com"],
  ["p.raman@googlemail.com", "praman@gmail.com"],
  ["+priya@larkspur.example", "+priya@larkspur.example"],
  ["no address", "no address"],
])("mail to %j reaches the mailbox %j", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

/** Reads the recipient and the fields of a link, as a mail program does. */
function opened(href: string) {
  const { pathname, searchParams } = new URL(href);
  return { to: decodeURIComponent(pathname), fields: [...searchParams.keys()], scheme: new URL(href).protocol };
}

test.each([
  "dana@clinic.example",
  "dana+it@clinic.example",
  "a?bcc=evil@attacker.example&subject=paid@b.example",
  "a&cc=evil@b.example",
  "a#fragment@b.example",
  "a%0d%0abcc:evil@b.example",
  "a\r\nbcc: evil@b.example",
  "javascript:alert(1)@b.example",
])("a link to %j names that recipient and sets no field", (email) => {
  expect(opened(mailtoHref(email))).toEqual({ to: email, fields: [], scheme: "mailto:" });
});

test("the at sign of an ordinary address is readable in its link", () => {
  expect(mailtoHref("dana@clinic.example")).toBe("mailto:dana@clinic.example");
});

test.each([
  ["+1 (555) 010-2030", "tel:+15550102030"],
  ["020 7946 0000", "tel:02079460000"],
  ["555;phone-context=evil.example", "tel:555"],
  ["555+1,,9#?x=1", "tel:555191"],
])("%j is dialled by its digits only", (phone, href) => expect(telHref(phone)).toBe(href));
