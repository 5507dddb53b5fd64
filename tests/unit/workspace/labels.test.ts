import { expect, test } from "vitest";
import { liveUpdate } from "~/features/workspace/model";
import { nextPromise, summarizeQueue } from "~/features/workspace/ui/dashboard";
import { capped } from "~/lib/numbers";
import type { LiveEventType } from "~/lib/subject";
import type { Due } from "~/lib/time-labels";
import { WAITING_COUNTED } from "~/lib/waiting";

test.each<[LiveEventType, string, string | null]>([
  ["new_submission", "sub_1", "/admin/submissions/sub_1"],
  ["status_update", "sub_1", "/admin/submissions/sub_1"],
  ["status_update", "", "/admin/submissions"],
  ["new_note", "sub_1", "/admin/submissions/sub_1"],
  ["new_note", "org_1", "/admin/organizations/org_1"],
  ["mfa_event", "usr_1", "/admin/users/usr_1"],
  ["ticket_event", "tkt_1", "/admin/tickets/tkt_1"],
])("%s about %j leads to %s", (type, id, href) => {
  expect(liveUpdate({ seq: 1, type, id, label: "Priya Raman", at: 0 }).href).toBe(href);
});

/** Returns the sentence over a queue. */
function sentence({ all, late, none }: { all: number; late: number; none: number }): string {
  const shown = (count: number) => capped(count, WAITING_COUNTED);
  const counts = { all: { count: all, isMore: false }, me: shown(0), none: shown(none) };
  const { waiting, late: lateness, unowned } = summarizeQueue({ counts, late: shown(late) });
  return [waiting, lateness, unowned].filter(Boolean).join(" / ");
}

test("the sentence over the queue has its numbers and its singulars, and ends counting where the page does", () => {
  expect(sentence({ all: 0, late: 0, none: 0 })).toBe("Nobody is waiting.");
  expect(sentence({ all: 1, late: 1, none: 1 })).toBe("1 person is waiting. / 1 answer is late / 1 has no owner");
  expect(sentence({ all: 25, late: 25, none: 2 })).toBe(
    "25 people are waiting. / 25 answers are late / 2 have no owner",
  );
  expect(sentence({ all: 1204, late: 26, none: 26 })).toBe(
    "1,204 people are waiting. / 25+ answers are late / 25+ have no owner",
  );
});

test("where somebody waits the next promise is the oldest open one, else the one that would be made now", () => {
  const next: Due = { state: "late", time: "35 min", dueAt: 0 };
  const counts = (all: number) => ({ all: { count: all, isMore: false }, me: capped(0), none: capped(0) });
  expect(nextPromise({ counts: counts(1), next })).toMatch(/^The next answer is /);
  expect(nextPromise({ counts: counts(0), next })).toMatch(/^A submission sent now is /);
});
