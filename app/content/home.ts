/** Holds the texts of Home: the hero, its first step and the example day beside it. */
export const hero = {
  /**
   * Holds two halves of one headline; the second takes the place of the first. Each has two lines, and a line has room
   * for 18 letters at every width.
   */
  people: "Your people\nlook after people.",
  computers: { text: "We look after\nthe", marked: "computers." },
  lead: "is the IT department for clinics, non-profits and learning centers that don’t have one. We fix what breaks, check that it stayed fixed, and write it all down.",
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
  },
  services: { title: "What we look after", text: "Six services. Take one, or hand over the lot." },
  industries: {
    title: "Who we work for",
    text: "Small and mid-sized organizations with rules to follow. We help you meet a rule; we don’t sell certificates.",
  },
};

/** Holds the text of the band that closes most pages. */
export const assessmentInvitation = {
  title: "Start with a free assessment",
  text: "Tell us what you have. We reply within 1 business day, talk it through with you, and send a written proposal.",
  label: "Free Assessment",
};

/** Holds the text of the band that closes the pricing page. */
export const proposalInvitation = {
  title: "Want a firm number?",
  text: "A short assessment tells us what you have and what it needs. You get a written proposal.",
  label: "Schedule Your Free Assessment",
};
