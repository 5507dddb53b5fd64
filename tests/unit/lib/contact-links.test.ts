import { expect, test } from "vitest";
import { mailtoHref, telHref } from "~/lib/contact-links";

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
