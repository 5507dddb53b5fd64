import { existsSync, globSync, readFileSync } from "node:fs";
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
  "__Host-settings": "which version you see, for ninety seconds",
  "__Host-sent": "shows you your receipt, for thirty minutes",
  "__Host-sup": "leads back to what you typed, until you confirm your address, for 24 hours at most",
  "__Host-frame": "which of them you came from, until the browser is closed",
  "__Host-theme": "keeps the choice for a year",
};

test("the privacy notice speaks of every cookie the product sets, and of no other", () => {
  const sources = globSync("app/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const named = sources.flatMap((source) => source.match(/"__Host-[a-z]+"/g) ?? []).map((name) => name.slice(1, -1));
  expect([...new Set(named)].sort()).toEqual(Object.keys(COOKIES).sort());
  for (const words of Object.values(COOKIES)) expect(textOf("cookies")).toContain(words);
});

/** Says for each duration of the notice which part of the product keeps it, and where that is tested. */
const DURATIONS: readonly { words: string; keptBy: string; test: string }[] = [
  {
    words: "those that are done, or held back as possible spam, 365 days after anything has happened with them",
    keptBy: "features/privacy/retention.server.ts",
    test: "db/privacy/retention.test.ts",
  },
  {
    words: "as long as we look after your organization",
    keptBy: "features/organization-management/deletion.server.ts",
    test: "db/organization-management/organizations.test.ts",
  },
  {
    words: "until you ask us to remove yours; what you wrote on tickets then no longer has your name",
    keptBy: "features/privacy/erase-person.server.ts",
    test: "db/privacy/erase-person.test.ts",
  },
  {
    words: "An account whose address is not confirmed: a day",
    keptBy: "jobs/purge-expired.server.ts",
    test: "db/jobs/purge-expired.test.ts",
  },
  {
    words: "Sessions and unused links: 30 days after they have ended",
    keptBy: "jobs/purge-expired.server.ts",
    test: "db/jobs/purge-expired.test.ts",
  },
  {
    words: "Counts of sign-in attempts: 30 days after the last one",
    keptBy: "jobs/purge-expired.server.ts",
    test: "db/jobs/purge-expired.test.ts",
  },
  {
    words: "The record of sign-ins, requests and changes: 400 days",
    keptBy: "jobs/purge-audit.server.ts",
    test: "db/jobs/purge-expired.test.ts",
  },
  {
    words: "What we tell you inside the product: 90 days",
    keptBy: "jobs/purge-expired.server.ts",
    test: "db/jobs/purge-expired.test.ts",
  },
  {
    words: "the fact that it was sent for 14 days",
    keptBy: "jobs/purge-expired.server.ts",
    test: "db/jobs/purge-expired.test.ts",
  },
  // Kept by the platform: point-in-time restore of D1.
  { words: "Earlier states of the database, from which it can be restored: 30 days", keptBy: "", test: "" },
];

test("every duration that the notice names is kept by a part of the product, and tested", () => {
  const text = textOf("how-long");
  for (const { words, keptBy, test: testedIn } of DURATIONS) {
    expect(text).toContain(words);
    if (keptBy) expect([existsSync(`app/${keptBy}`), existsSync(`tests/${testedIn}`)], words).toEqual([true, true]);
  }
  // A further line of the notice needs a row above.
  const named = (line: string) => DURATIONS.some(({ words }) => line.includes(words));
  expect(text.split("\n").filter((line) => !named(line))).toEqual([]);
  expect(
    privacyText({ ...brand, keepsRequests: null })
      .sections.flatMap(({ blocks }) => blocks.flat())
      .join(),
  ).toContain("until we delete them, or until you ask us");
});

test("the privacy notice promises nothing about backups, which the product does not have", () => {
  for (const { id } of sections) expect(textOf(id).toLowerCase()).not.toContain("backups");
});
