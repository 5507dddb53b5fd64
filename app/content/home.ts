/**
 * Holds two halves of one headline, of which the second takes the place of the first, and the text under it. A line has
 * room for 18 letters at every width. `{company}` stands for the name.
 */
export const hero = {
  first: "Your people\nlook after people.",
  second: "We look after\nthe computers.",
  /** Is marked where the second half says it. */
  marked: "computers.",
  lead: "{company} is the IT department for clinics, non-profits and learning centers that don’t have one. We fix what breaks, check that it stayed fixed, and write it all down.",
};

/** Holds the texts of the form that leads to the estimate. `people` stands in its field at first. */
export const estimateQuestion = {
  label: "How many people?",
  people: 12,
  submit: "Estimate Your Monthly Cost",
  promise: "The price shows at once. No email, no call.",
  more: { before: "Or", link: "Learn More", after: "first." },
};

type DayEntry = { time: string; text: string; isChecked: boolean };

/** Says that it is an example: nothing on this site is presented as a client's that is not. */
export const dayDocket: { title: string; disclaimer: string; entries: readonly DayEntry[] } = {
  title: "An ordinary Tuesday",
  disclaimer: "Example, not a real client",
  entries: [
    { time: "06:40", text: "Overnight backup restored to a test machine and opened", isChecked: true },
    { time: "07:55", text: "Front-desk printer working again before the doors opened", isChecked: true },
    { time: "10:20", text: "New starter: laptop, sign-in and two-step sign-in ready", isChecked: true },
    { time: "13:05", text: "Sign-in from an unknown country blocked, password reset by phone", isChecked: true },
    { time: "16:30", text: "Firewall update booked for after closing time", isChecked: false },
  ],
};

export const homeSections = {
  proof: {
    title: "See the work before you buy it",
    text: "No logos and no star ratings here. These are the papers you would get from us, filled in as examples.",
    link: "Why Choose Us",
    promises: "Our promises, the last 90 days",
  },
  services: { title: "What we look after", text: "Six services. Take one, or hand over the lot." },
  industries: {
    title: "Who we work for",
    text: "Small and mid-sized organizations with rules to follow. We help you meet a rule; we don’t sell certificates.",
  },
};

/**
 * Tells what happens to those who change their provider, after one day, seven and thirty, and answers what holds them
 * back. `outcomes`: what they have in their hands by then.
 */
export const switching = {
  title: "Switching from another provider",
  text: "You tell us once. We do the rest, with them and without a day off.",
  steps: [
    {
      title: "You stay online",
      text: "We take over passwords, licenses and the list of machines with a letter you sign. Nothing is switched off. Your people get one number to call.",
    },
    {
      title: "The worst thing is fixed",
      text: "Every computer reports to us, backups run in two places, and the problem that made you leave has a date or is gone.",
    },
    {
      title: "It is in writing",
      text: "Two-step sign-in for all, old accounts of the former provider closed, and your first monthly letter.",
    },
  ],
  outcomes: [
    "The list of everything that is yours.",
    "A restored file, opened while you watched.",
    "What we found, what is left, what it costs.",
  ],
  answers: [
    {
      title: "“They hold our passwords.”",
      text: "They are yours. We write the letter, and we have a way for when they don’t answer it.",
    },
    {
      title: "“Our contract runs until spring.”",
      text: "Then we start with backups and the assessment, and take the rest over on that day.",
    },
    {
      title: "“What if it goes wrong with you?”",
      text: "You can leave, and we help you go. Your records come as a file that opens without us.",
    },
  ],
};

export const switchingDays = ["Day 1", "Day 7", "Day 30"];

export const assessmentInvitation = {
  title: "Start with a free assessment",
  text: "Tell us what you have. We reply within 1 business day, talk it through with you, and send a written proposal.",
  label: "Free Assessment",
};

export const proposalInvitation = {
  title: "Want a firm number?",
  text: "A short assessment tells us what you have and what it needs. You get a written proposal.",
  label: "Schedule Your Free Assessment",
};
