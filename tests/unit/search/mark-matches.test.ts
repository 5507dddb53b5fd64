import { expect, test } from "vitest";
import { excerptAround, markMatches, messageMatch, wordsOf } from "~/features/search/model";

const marked = (text: string, terms: string[]) =>
  markMatches(text, terms)
    .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
    .join("");

test.each([
  ["Printer offline", ["printer"], "[Printer] offline"],
  ["École Łódź, Straße 4", ["ecole", "lodz", "strasse"], "[École] [Łódź], [Straße] 4"],
  ["Two  lines\nof text", ["lines of"], "Two  [lines\nof] text"],
  ["aaaa", ["aa", "aaa"], "[aaa]a"],
  ["<b>bold</b>", ["<b>"], "[<b>]bold</b>"],
  ["nothing", ["else"], "nothing"],
])("what was searched for is marked in the text as it was written: %s", (text, terms, expected) => {
  expect(marked(text, terms)).toBe(expected);
});

test("an excerpt begins shortly before the first match and says that it is a part", () => {
  const pieces = excerptAround(`${"before ".repeat(60)}the printer ${"after ".repeat(60)}`, ["printer"]);
  const text = pieces.map((piece) => piece.text).join("");
  expect(text).toMatch(/^… before .*the printer after .* …$/);
  expect(text.length).toBeLessThan(260);
});

test("nothing that is typed is an operator of the index", () => {
  const words = wordsOf('vpn" OR state : internal NEAR(a*) -x 漢字 é');
  expect(words).toEqual(["vpn", "OR", "state", "internal", "NEAR", "a", "x", "漢字"]);
  expect(messageMatch(words.slice(0, 3), { organizationId: "org_1", onlyPublic: true })).toBe(
    'message : ("vpn" * AND "OR" AND "state" *) AND state : "org_1" AND state : "public"',
  );
  expect(messageMatch(wordsOf("!!! …"), { organizationId: null, onlyPublic: false })).toBeNull();
});
