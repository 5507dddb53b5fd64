/*
 * Why clients choose the provider. The story is the founder's own and must be replaced by whoever runs this site; its
 * signature is `brand.founder`. The text marked "promise" goes beyond the plans' terms.
 */
export const story = [
  "I used to be the person at a small clinic who “knew computers”. It wasn’t my job, so it happened at lunch, badly, and nobody wrote anything down. When I left, everything I’d fixed left with me.",
  "This is the company I wanted to call back then: people whose job it is, who answer, who check that the fix held, and who leave a record you own.",
] as const;

export const mission = "Give small organizations an IT department they can understand and afford.";

export const promise = {
  before: "If we say it’s fixed, we’ve ",
  marked: "checked",
  after: " it. If we can’t fix it, we say so and tell you who can.",
};

export const differences: readonly { title: string; text: string }[] = [
  {
    title: "We write it down",
    text: "Every ticket, change and visit goes in a record you can read, in your portal.",
  },
  {
    // Promise: who decides that a ticket is closed.
    title: "We check twice",
    text: "A ticket closes when the person who raised it agrees it’s fixed.",
  },
  {
    title: "One price per person",
    text: "The rates are on the pricing page. No setup fees. Onboarding is hourly with a 20-hour minimum, and we say that up front.",
  },
  {
    title: "Rules are part of the job",
    text: "HIPAA, FERPA and the rest are built into how we set things up.",
  },
  { title: "Someone comes", text: "Core includes 16 onsite visits a year; Premium has no limit." },
  {
    title: "You can leave",
    text: "Passwords, diagrams and records are yours. Typical terms are 12 months, you can upgrade any time and downgrade at the end of a billing cycle.",
  },
];
