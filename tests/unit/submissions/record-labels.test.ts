import { expect, test } from "vitest";
import type { Delivery } from "~/features/submissions/model";
import { shownEntry } from "~/features/submissions/record/read-record.server";

const ZONE = "America/Chicago";
const at = Date.parse("2026-11-20T14:01:00-06:00");

const assigned = (change: { owner?: string | null; followUpOn?: string | null }) =>
  shownEntry(
    {
      kind: "assignment",
      id: "sas_1",
      actor: "Avery Quinn",
      at,
      owner: change.owner ?? null,
      followUpOn: change.followUpOn ?? null,
      ownerChanged: "owner" in change,
      followUpChanged: "followUpOn" in change,
    },
    ZONE,
  );

test.each([
  [{ owner: "Avery Quinn" }, "Avery Quinn took this"],
  [{ owner: "Jordan Vale" }, "Avery Quinn assigned it to Jordan Vale"],
  [{ owner: null }, "Avery Quinn removed the owner"],
  [{ followUpOn: "2026-11-24" }, "Avery Quinn set the follow-up to Nov 24"],
  [{ followUpOn: null }, "Avery Quinn removed the follow-up"],
  [{ owner: "Jordan Vale", followUpOn: "2026-11-24" }, "Avery Quinn assigned it to Jordan Vale, to follow up Nov 24"],
])("history says what was different, and nothing that was not: %j", (change, words) => {
  expect(assigned(change)).toMatchObject({ kind: "event", words });
});

const delivered = (delivery: Delivery) => {
  const who = { actorId: "usr_1", actor: "Avery Quinn" };
  const reply = { kind: "reply" as const, id: "srp_1", ...who, at, message: "Monday works.", delivery };
  const shown = shownEntry(reply, ZONE);
  return shown.kind === "message" ? shown.mail : null;
};

test.each<[Delivery, string, string]>([
  [{ nextAt: null, status: "pending", at: null, reason: null }, "waiting", "Queued"],
  [{ nextAt: null, status: "sending", at: null, reason: null }, "waiting", "Sending"],
  [{ nextAt: null, status: "sent", at, reason: null }, "sent", "Sent 14:01"],
  [
    { nextAt: null, status: "sent", at: Date.parse("2026-11-21T09:00:00-06:00"), reason: null },
    "sent",
    "Sent Nov 21, 09:00",
  ],
  [{ nextAt: null, status: "sent", at: null, reason: null }, "sent", "Sent"],
  [{ nextAt: null, status: "delivered", at, reason: null }, "sent", "Sent 14:01, delivered"],
  [
    { nextAt: null, status: "bounced", at, reason: "not_reachable" },
    "failed",
    "Not delivered: it came back: the mailbox is full or cannot be reached",
  ],
  [
    { nextAt: at, status: "held", at: null, reason: "address_held" },
    "failed",
    "Address bounces, held until Nov 20, 14:01",
  ],
  [{ nextAt: null, status: "dead", at: null, reason: null }, "failed", "Not delivered"],
  [{ nextAt: null, status: "uncertain", at: null, reason: null }, "failed", "Uncertain: it may not have been sent"],
])("a reply whose mail is %j never claims more than is known", (delivery, state, words) => {
  expect(delivered(delivery)).toEqual({ state, words });
});
