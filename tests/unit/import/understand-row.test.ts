import { expect, test } from "vitest";
import { guessFields } from "~/features/import/presets";
import { dateOf } from "~/features/import/understand-row";

const ZONE = "Europe/Berlin";
const iso = (text: string, order: "dmy" | "mdy" | "ymd" | null = null) => {
  const at = dateOf(text, { order, zone: ZONE });
  return typeof at === "number" ? new Date(at).toISOString() : at;
};

test("a date is read as its order says, in the zone of the site unless it names one, and never guessed", () => {
  expect(iso("2024-11-23 09:15")).toBe("2024-11-23T08:15:00.000Z");
  expect(iso("2024-11-23T09:15:30.250Z")).toBe("2024-11-23T09:15:30.000Z");
  expect(iso("2024-07-01T09:15:00-05:00")).toBe("2024-07-01T14:15:00.000Z");
  expect(iso("2024-11-23 09:15:00 UTC")).toBe("2024-11-23T09:15:00.000Z");
  expect(iso("03/04/2025", "dmy")).toBe("2025-04-02T22:00:00.000Z");
  expect(iso("03/04/2025 1:05 PM", "mdy")).toBe("2025-03-04T12:05:00.000Z");
  expect(iso("03/04/2025")).toBe("unreadable");
  expect(iso("3.4.25", "dmy")).toBe("2025-04-02T22:00:00.000Z");
  expect(iso("Nov 23, 2024 9:15 AM")).toBe("2024-11-23T08:15:00.000Z");
  expect(iso("Sat, 23 Nov 2024")).toBe("2024-11-22T23:00:00.000Z");
});

test("what is no day is no date, and nothing is none", () => {
  for (const text of ["00/00/0000", "30/02/2024", "2024-13-01", "yesterday", "2024-11-23 25:00", "12/25/2024"])
    expect([text, iso(text, "dmy")]).toEqual([text, "unreadable"]);
  for (const text of ["", " ", "-", "0000-00-00 00:00:00", "0000-00-00"]) expect(iso(text)).toBeNull();
});

test("of two columns for the same field the product's own name counts, and the other is left out", () => {
  const names = ["ID", "Number", "Title", "State", "Customer", "Organization", "Created at"];
  expect(guessFields("zammad", "tickets", names)).toEqual([
    ...["", "old_number", "subject", "status", "requester_email", "organization", "opened"],
  ]);
  expect(guessFields("generic", "tickets", ["ID", "Subject", "Summary"])).toEqual(["old_number", "subject", ""]);
});
