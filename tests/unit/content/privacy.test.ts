import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brand } from "~/content/brand";
import { privacyText } from "~/content/legal";

const { sections } = privacyText(brand);
const textOf = (id: string) =>
  sections
    .find((section) => section.id === id)
    ?.blocks.flat()
    .join("\n") ?? "";

/** Says in which words the privacy notice speaks of each cookie. */
const COOKIES: Record<string, string> = {
  "__Host-sid": "one for your session",
  "__Host-mfa": "between the password and the code, for ten minutes",
  "__Host-kd": "recognizes a browser you have used before, for 400 days",
  "__Host-vfy": "holds the link, for fifteen minutes",
  "__Host-rst": "holds the link, for fifteen minutes",
  "__Host-emc": "holds the link, for fifteen minutes",
  "__Host-emu": "holds the link, for fifteen minutes",
  "__Host-nme": "holds the link, for fifteen minutes",
  "__Host-stp": "holds the link, for fifteen minutes",
  "__Host-inv": "or for an hour if it is an invitation",
  "__Host-hld": "leads back to what you typed, for thirty minutes",
  "__Host-codes": "the page that shows them, encrypted, for ten minutes",
  "__Host-toast": "carries the message to the next page, for a minute",
  "__Host-sent": "shows you your receipt, for thirty minutes",
  "__Host-sup": "what you typed, encrypted, until you confirm your address, for 24 hours at most",
  "__Host-theme": "keeps the choice for a year",
};

test("the privacy notice speaks of every cookie the product sets, and of no other", () => {
  const sources = globSync("app/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const named = sources.flatMap((source) => source.match(/"__Host-[a-z]+"/g) ?? []).map((name) => name.slice(1, -1));
  expect([...new Set(named)].sort()).toEqual(Object.keys(COOKIES).sort());
  for (const words of Object.values(COOKIES)) expect(textOf("cookies")).toContain(words);
});

test.each([
  "ticket",
  "backups",
])("the privacy notice promises nothing about %s, which the product does not have", (words) => {
  for (const { id } of sections) expect(textOf(id).toLowerCase()).not.toContain(words);
});
