import { expect, test } from "vitest";
import { codeAt, matchingStep, stepAt } from "~/features/auth/factors.server";
import { seconds } from "~/lib/time";

/** Holds the secret of RFC 6238, appendix B: "12345678901234567890" in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

const VECTORS = [
  [59, 1, "287082"],
  [1111111109, 37037036, "081804"],
  [1111111111, 37037037, "050471"],
  [1234567890, 41152263, "005924"],
  [2000000000, 66666666, "279037"],
  [20000000000, 666666666, "353130"],
] as const;

test.each(VECTORS)("at second %d the step is %d and the code %s, as the RFC has it", (second, step, code) => {
  expect(stepAt(seconds(second))).toBe(step);
  expect(codeAt(SECRET, step)).toBe(code);
  expect(matchingStep(SECRET, code, seconds(second))).toBe(step);
});

test.each([-1, 0, 1])("a code %d steps away still counts, as the step it belongs to", (offset) => {
  const now = seconds(1234567890);
  const step = stepAt(now) + offset;
  expect(matchingStep(SECRET, codeAt(SECRET, step), now)).toBe(step);
});

test.each([-3, -2, 2, 3])("a code %d steps away does not count", (offset) => {
  const now = seconds(1234567890);
  expect(matchingStep(SECRET, codeAt(SECRET, stepAt(now) + offset), now)).toBeNull();
});

test.each(["", "28708", "2870820", "28708a", "２８７０８２", "94287082"])("%j is not the code 287082", (typed) => {
  expect(matchingStep(SECRET, typed, seconds(59))).toBeNull();
});
