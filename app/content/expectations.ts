/** Lists the four steps that follow a submission, for the contact page and the acknowledgement. */
export const expectations = [
  { title: "Initial contact", text: "Within 1 business day" },
  { title: "Assessment discussion", text: "What you have, what isn't working, what comes next" },
  { title: "Custom proposal", text: "In writing, with prices" },
  { title: "Implementation", text: "On a schedule you agreed to" },
] as const;
