import type { PresenceFrame } from "~/live/protocol";

const NAMES = new Intl.ListFormat("en");

/** Says who else has the ticket open: "Sam Ortega is writing a reply. Jordan Vale is looking at this ticket." */
export const presenceInWords = (people: PresenceFrame["people"]): string =>
  [
    sentence(
      people.filter(({ writing }) => writing),
      "writing a reply",
    ),
    sentence(
      people.filter(({ writing }) => !writing),
      "looking at this ticket",
    ),
  ]
    .filter(Boolean)
    .join(" ");

const sentence = (people: PresenceFrame["people"], what: string): string =>
  people.length === 0
    ? ""
    : `${NAMES.format(people.map(({ name }) => name))} ${people.length === 1 ? "is" : "are"} ${what}.`;
