import { expect, test } from "vitest";
import { closingTimes } from "~/features/settings/model";

test.each([
  ["announced on the fourth day, closed three days later", 4, 7, { announceAfter: 4, closeAfter: 3 }],
  ["closed without an announcement", 0, 7, { announceAfter: 0, closeAfter: 7 }],
  ["never closed, and so not announced", 4, 0, { announceAfter: 0, closeAfter: 0 }],
  ["closed before it would be announced", 7, 3, { announceAfter: 0, closeAfter: 3 }],
  ["closed on the day on which it would be announced", 7, 7, { announceAfter: 0, closeAfter: 7 }],
])("a resolved ticket is %s", (_, announceClosingAfter, closeResolvedAfter, expected) => {
  expect(closingTimes({ announceClosingAfter, closeResolvedAfter })).toEqual(expected);
});
