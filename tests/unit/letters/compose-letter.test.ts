import { describe, expect, test } from "vitest";
import { composeLetter } from "~/features/letters/compose-letter";
import type { LetterMetrics } from "~/features/letters/model";

/** Holds the morning of December 1 in America/Chicago. */
const EIGHT = Date.parse("2026-12-01T14:00:00Z");

describe("the sentence that sums a month up", () => {
  const metrics: LetterMetrics = {
    ...{ organization: "Larkspur Row", month: "2026-11", zone: "America/Chicago", plan: "Core", people: 3 },
    ...{ withoutSecondFactor: 0, created: 3, resolved: 2, open: 1, promises: { kept: 0, missed: 0 } },
    ...{ firstResponse: { median: null, n: 0 }, misses: [], asked: [], allowances: [], waiting: [] },
  };
  const verdict = (changes: Partial<LetterMetrics>) =>
    composeLetter({ ...metrics, ...changes }, { sentences: [], reasons: [] }, EIGHT).verdict;

  test.each<[Partial<LetterMetrics>, string]>([
    [{ promises: { kept: 12, missed: 0 } }, "In November we kept all 12 promises."],
    [{ promises: { kept: 1, missed: 0 } }, "In November we kept the one promise we gave."],
    [{ promises: { kept: 10, missed: 2 } }, "In November we kept 10 of 12 promises and missed 2."],
    [{ promises: { kept: 0, missed: 1 } }, "In November we missed 1 promise. We owe you better."],
    [{}, "In November you raised 3 requests, and we solved 2."],
    [{ created: 0, resolved: 0 }, "November was quiet: you asked for nothing new, and 1 ticket is still open."],
  ])("of %j it is %j", (changes, words) => {
    expect(verdict(changes)).toBe(words);
  });
});
