import { expect, test } from "vitest";
import { secretIn } from "~/features/conversation/secrets";
import { mentionsIn, mentionText } from "~/features/tickets/internal-note.server";
import { mailedEvent } from "~/features/tickets/mails/compose-mails.server";
import { askedAt, repliesFor } from "~/features/tickets/record/slash-replies.client";
import { latestOfMany } from "~/features/tickets/thread.server";

const messages = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `msg_${index + 1}` }));

test("a conversation of more than ten messages leads to its last one", () => {
  expect([0, 10, 11].map((count) => latestOfMany(messages(count)))).toEqual([null, null, "msg_11"]);
});

test.each([
  ["open", "Tessa reopened this ticket."],
  ["in_progress", "Tessa set this ticket to In Progress."],
  ["resolved", "Tessa resolved this ticket."],
])("a mail about a ticket that is now %s says so", (detail, sentence) => {
  const rest = {
    message: null,
    resolution: "A new cable.",
    passedAt: null,
    endsAfter: 0,
    isStillSo: true,
    canReopen: true,
  };
  const told = mailedEvent({ event: "status_changed", detail, actorName: "Tessa", ...rest });
  expect(told).toEqual({ sentence, text: "A new cable." });
});

const staff = ["Sam Miller", "Sam Reed", "Zoë Ortega", "Li"].map((fullName) => ({
  id: fullName,
  fullName,
  isNotified: fullName !== "Li",
}));

test.each([
  ["@Sam Reed, look at this", ["Sam Reed"], []],
  ["@sam look at this", ["Sam Miller", "Sam Reed"], []],
  ["(@zoe) and @LI.", ["Zoë Ortega", "Li"], []],
  ["write to help@sam.example or li@zoe", [], []],
  ["@Liam and @Samuel, @ Li, and @Liam again", [], ["Liam", "Samuel"]],
  ["@Zo and @Zoë", ["Zoë Ortega"], ["Zo"]],
  ["Sam knows", [], []],
])("%s", (text, named, unknown) => {
  const mentions = mentionsIn(text, staff);
  expect([mentions.named.map(({ id }) => id), mentions.unknown]).toEqual([named, unknown]);
});

test("a note says who was told, who was not, and which names are nobody's, but nothing of its author", () => {
  const words = (text: string, authorId = "Sam Reed") => mentionText(mentionsIn(text, staff), authorId);
  expect(words("@Zoë please")).toEqual({ notified: "Zoë Ortega was told.", notNotified: null });
  expect(words("@Sam")).toEqual({ notified: "Sam Miller was told.", notNotified: null });
  expect(words("@Sam", "usr_other").notified).toBe("Sam Miller and Sam Reed were told.");
  expect(words("@Sam Reed and @Li")).toEqual({ notified: null, notNotified: "Li has muted this and was not told." });
  expect(words("@Zo, @Av")).toEqual({ notified: null, notNotified: "@Zo and @Av name no one on the team." });
  const log = Array.from({ length: 43 }, (_, index) => `@line${index}`).join(" ");
  expect(words(log).notNotified).toBe("@line0, @line1, @line2 and 40 more name no one on the team.");
  expect(words("@Sam Reed")).toEqual({ notified: null, notNotified: null });
});

test.each([
  ["The password is Blue-42horse.", "password"],
  ["Password: hunter", "password"],
  ["login dana, pwd=letmein", "password"],
  ["the password for the printer is k9!tz", "password"],
  ["My passcode was 'a1b2c3'", "password"],
  ["Card 4111 1111 1111 1111, please", "card"],
  ["4111-1111-1111-1111", "card"],
  ["I forgot my password.", null],
  ["Please send a password reset to Dana", null],
  ["The password is wrong again", null],
  ["password reset link T-1042", null],
  ["Change the password before Friday", null],
  ["The serial number is 4111 1111 1111 1112", null],
  ["Call 0000 0000 0000 0000", null],
  ["Invoice 20261118-000123", null],
] as const)("%s: %s", (text, secret) => {
  expect(secretIn(text)).toBe(secret);
});

test.each([
  ["spaces", " "],
  ["dots", "."],
])("a text of nothing but %s behind the word is looked through once, not once for each of them", (_, character) => {
  // Looked through again for each character, it would take minutes.
  const text = `password${character.repeat(150_000)}\nis all`;
  expect(secretIn(text)).toBe(null);
  expect(secretIn(`${text}. Password: hunter2`)).toBe("password");
});

test.each([
  ["/", { start: 0, query: "" }],
  ["/remote", { start: 0, query: "remote" }],
  ["Hello Dana,\n/password re", { start: 12, query: "password re" }],
  ["Hello /re", null],
  ["see /etc/hosts", null],
  ["/ not a name", null],
  [`/${"x".repeat(41)}`, null],
  ["/re\n", null],
  ["", null],
])("the caret at the end of %j asks for a saved reply: %j", (text, asked) => {
  expect(askedAt(text, text.length)).toEqual(asked);
});

test("only what stands before the caret counts", () => {
  expect(askedAt("/remote session", 4)).toEqual({ start: 0, query: "rem" });
});

test("a reply is found by the words of its name, in any case and order", () => {
  const replies = ["Password reset", "Remote session", "Reset done (yours)"].map((label, value) => ({
    value: String(value),
    label,
  }));
  expect(repliesFor(replies, "RESET pass").map(({ label }) => label)).toEqual(["Password reset"]);
  expect(repliesFor(replies, "")).toHaveLength(3);
  expect(repliesFor(replies, "etc/hosts")).toEqual([]);
});
