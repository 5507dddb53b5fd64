import { expect, test } from "vitest";
import { splitAtLinks } from "~/ui/message";

const linksIn = (text: string) =>
  splitAtLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

test("the parts of a text are the text again, line breaks and all", () => {
  const text = "See https://example.com/a?b=1&c=2.\n\nOr <b>http://example.org</b> (https://example.net/x), please.";
  expect(
    splitAtLinks(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test.each([
  ["See https://example.com/a?b=1&c=2.", ["https://example.com/a?b=1&c=2"]],
  ["(http://example.com/help), “HTTPS://Example.com”!", ["http://example.com/help", "HTTPS://Example.com"]],
  ["https://en.wikipedia.org/wiki/Port_(network)", ["https://en.wikipedia.org/wiki/Port_(network)"]],
  ["http://192.168.1.1:8080/#dhcp and http://printer", ["http://192.168.1.1:8080/#dhcp", "http://printer"]],
  ["<https://example.com/a>", ["https://example.com/a"]],
])("in %j, %j can be followed", (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test.each([
  ["an address without its protocol", "example.com, www.example.com"],
  ["a script", "javascript:alert(1) data:text/html,x file:///etc/passwd"],
  ["a user name that looks like a website", "https://bank.example@evil.example/"],
  ["letters that look like others", "https://аpple.com/"],
  ["a protocol alone", "https:// and http://."],
])("%s is no link", (_, text) => {
  expect(linksIn(text)).toEqual([]);
});

test("a link ends before a character that turns the direction of the text", () => {
  expect(linksIn("https://evil.example/\u202emoc.knab")).toEqual(["https://evil.example/"]);
});

test("a long text of one character is read in one go", () => {
  expect(splitAtLinks(`https://example.com/${".".repeat(20_000)}`)).toHaveLength(2);
});
