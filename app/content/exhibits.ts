/*
 * The papers a client gets, filled in as examples: proof that can be checked before buying. No name in here belongs to
 * anybody, and each one says on the page that it is an example. Whoever runs this site must be able to produce every
 * kind of paper shown here.
 */

/** Says on each paper that it is no client's. */
export const exampleTag = "Example";

export const ticketExhibit = {
  title: "A ticket, with its promise",
  number: "T-1041",
  subject: "Video calls freeze in the back consulting room",
  terms: "High priority",
  promise: "First reply promised by Thu 13:14",
  messages: [
    {
      from: "Clinic, 09:14",
      text: "Two sessions dropped this week, both in the back room. I have clients at 2:00 and 3:30 today.",
      isOurs: false,
    },
    {
      from: "Dele, 09:31",
      text: "Please take both in room 1 today; Sam has swapped the booking. I’ll look at the back room’s access point now.",
      isOurs: true,
    },
    {
      from: "Dele, 15:10",
      text: "New access point in, both afternoon calls ran without a drop. Shall I close this?",
      isOurs: true,
    },
    { from: "Clinic, 15:42", text: "Yes. All good.", isOurs: false },
  ],
  kept: "Answered in 17 minutes. Promise kept. Closed when the clinic said so.",
  note: "You hear the time when you ask, and why it is that time. If we are late, we say so.",
  whole: "See the whole ticket",
  why: [
    { term: "Thu, Nov 12, 09:14", detail: "The clinic wrote. The clock starts." },
    { term: "High priority", detail: "A reply within 4 open hours." },
    { term: "Our hours", detail: "Monday to Friday, 8 to 6. Nothing is counted outside of them." },
    { term: "Thu, Nov 12, 13:14", detail: "The promise. No holidays and no pauses fall in between." },
  ],
  history: [
    { term: "09:14", detail: "Opened by the clinic, with High priority" },
    { term: "09:20", detail: "Dele has it" },
    { term: "09:31", detail: "First reply. Promised by 13:14, kept" },
    { term: "15:10", detail: "Waiting for the clinic" },
    { term: "15:42", detail: "Closed, after the clinic said that it is solved" },
  ],
};

/** The facts behind the monthly letter, in the form of those that the product counts. */
export const letterFacts = {
  organization: "Example Clinic",
  month: "2026-11",
  zone: "UTC",
  writtenAt: Date.UTC(2026, 11, 1, 9),
  ...{ people: 14, withoutSecondFactor: 2, created: 12, resolved: 11, open: 1 },
  promises: { kept: 11, missed: 1 },
  firstResponse: { median: 22 * 60_000, n: 12 },
  misses: [
    {
      ...{ ticket: "T-1038", title: "The label printer prints blank labels" },
      ...{ dueAt: Date.UTC(2026, 10, 9, 14), answeredAt: Date.UTC(2026, 10, 9, 14, 35) },
    },
  ],
  reason: "Our rota had a gap at noon. From now on two of us share it.",
  asked: [
    { category: "Support", count: 7 },
    { category: "Accounts", count: 3 },
    { category: "Network", count: 2 },
  ],
  allowances: [
    { label: "Onsite visits", used: "13 of 16 used" },
    { label: "After-hours incidents", used: "2 of 5 used" },
  ],
  waiting: [{ ticket: "T-1044", title: "Replace the laptop at the front desk?" }],
  sentences: [
    "The back consulting room has a new access point; calls there ran without a drop since.",
    "Two people still sign in with a password alone. We can switch the second step on for them in ten minutes.",
  ],
  signedBy: "Dele",
};

export const restoreLog = {
  title: "A restore log",
  text: "A backup counts when a file has been opened from it.",
  columns: ["Date", "What", "Took", "Result"],
  entries: [
    { date: "Nov 2", what: "Shared drive, 3 files", took: "4 min", opened: true },
    { date: "Nov 9", what: "Front-desk laptop", took: "41 min", opened: true },
    { date: "Nov 16", what: "One mailbox", took: "–", opened: false },
    { date: "Nov 17", what: "One mailbox, again", took: "12 min", opened: true },
  ],
  results: { opened: "Opened", failed: "Failed" },
  note: "The failure stays in the log. So does what we changed: a missing permission.",
} as const;

export const monthlyLetter = {
  title: "A monthly letter",
  verdict: "A quiet month: 11 of 12 promises kept, one missed by 35 minutes.",
  facts: [
    { label: "Requests", value: "12 new, 11 solved" },
    { label: "The miss", value: "Nov 9, our rota had a gap" },
    { label: "Onsite visits", value: "13 of 16 used" },
    { label: "After-hours incidents", value: "2 of 5 used" },
    { label: "Waiting for you", value: "1 decision" },
    { label: "Without two-step sign-in", value: "2 of 14 people" },
  ],
  note: "One page, every month.",
  whole: "See the whole letter",
};

export const firstDays = {
  title: "Your first 30 days",
  tag: "Example plan",
  steps: [
    { when: "Day 1", text: "One call: people, places, passwords, what hurts most." },
    { when: "Week 1", text: "A list of every computer and account. The worst problem is fixed first." },
    { when: "Week 2", text: "Backups run in two places. We restore a file while you watch." },
    { when: "Week 3", text: "Updates and protection everywhere. Two-step sign-in for all." },
    { when: "Day 30", text: "Your first letter: what we found, what is left, what it costs." },
  ],
};

export const handoverList = {
  title: "If you leave",
  text: "On your last day you hold:",
  items: [
    { what: "Every password", text: ", in a file only you can open" },
    { what: "A drawing", text: " of your network that is true" },
    { what: "The list", text: " of computers, licenses and renewal dates" },
    { what: "Every ticket", text: " as a file you can search" },
    { what: "A call", text: " with whoever comes next" },
  ],
  note: "It is yours already. We only put it in one box.",
};
