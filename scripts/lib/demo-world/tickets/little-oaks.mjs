import { storyOf } from "./story.mjs";

const TECH = "tech@wrenfield.example";
const ADMIN = "admin@wrenfield.example";

const story = storyOf("little-oaks-learning");
const told = (...rest) => story("owner@littleoaks.example", ...rest);

export const LITTLE_OAKS_TICKETS = [
  told(
    0.9,
    "high",
    "Technical Support",
    "Tablets in the blue room cannot find the Wi-Fi",
    "Twelve tablets, since this morning. The ones in the other rooms are fine.",
  ),
  told(
    4,
    "medium",
    "Account Issues",
    "Three summer tutors",
    "They start on June 2, with the same access as the spring group.",
    { has: ADMIN, course: [[0.6, "start"]] },
  ),
  told(26, "medium", "Technical Support", "Front gate camera offline", "It says no signal since the storm.", {
    has: TECH,
    course: [
      [1, "start"],
      [2, "reply", "The power supply outside is wet. I come by tomorrow at ten and bring a new one."],
      [3, "copy", "office@acorn-property.example"],
      [20, "note", "Bring the long ladder."],
    ],
  }),
  told(
    44,
    "low",
    "Training",
    "A short course for the new tablets",
    "Could somebody show eight of us the basics? An hour is enough.",
    {
      has: ADMIN,
      course: [
        [5, "reply", "With pleasure. Would Wednesday at four work for you?"],
        [5, "wait"],
      ],
    },
  ),
  told(
    70,
    "urgent",
    "Security",
    "Laptop stolen from a car",
    "It was locked, but signed in to the mail. Taken last night.",
    {
      impact: "One laptop with access to the list of families.",
      has: TECH,
      isPrivate: true,
      course: [
        [0.1, "start"],
        [
          0.3,
          "reply",
          "I have ended all sessions of that laptop and erased it from here. Please change the password of the mail now: the link is in your inbox.",
        ],
        [0.6, "answer", "Done."],
        [0.8, "note", "Disk was encrypted, key never left. No report to families needed, see the checklist."],
        [
          5,
          "resolve",
          "Locked and erased the laptop from afar; all sessions ended, password changed. The disk was encrypted.",
        ],
      ],
    },
  ),
  told(110, "medium", "Billing", "One invoice for three buildings, please", "At the moment we get three.", {
    has: ADMIN,
    course: [
      [3, "reply", "From next month on there is one, with a line for each building."],
      [3.2, "resolve", "Invoices of the three buildings are one from December on."],
    ],
  }),
  told(
    200,
    "high",
    "Performance",
    "Booking page is slow for parents",
    "They write to us that it takes ages in the evening.",
    {
      has: TECH,
      course: [
        [2, "start"],
        [6, "reply", "Between six and eight the backup runs on the same line. I have moved it to two in the morning."],
        [6, "wait"],
        [40, "answer", "Much better since yesterday, thank you."],
        [41, "resolve", "Moved the nightly backup, which took the line that the booking page needs."],
      ],
    },
  ),
  told(
    330,
    "medium",
    "Feature Request",
    "Sign-in sheet on a tablet",
    "Parents sign on paper now. Could that be a tablet at the door?",
    {
      has: ADMIN,
      course: [
        [10, "reply", "Yes. I have put three ways to do it into a letter with prices, which you have by mail."],
        [80, "answer", "We take the second one, in January."],
        [81, "close"],
      ],
    },
  ),
  told(560, "low", "Bug Report", "Clock in the yellow room is an hour off", "Since the time change.", {
    has: TECH,
    course: [
      [20, "reply", "It shows the right time now, and will in spring, too."],
      [21, "solved"],
      [190, "close"],
    ],
  }),
  told(
    800,
    "urgent",
    "Technical Support",
    "Door system lets nobody in",
    "We are standing outside with forty children.",
    {
      impact: "The main door, for everybody.",
      has: TECH,
      course: [
        [
          0.1,
          "reply",
          "I have opened the main door from here. Please leave it on the latch until I am with you in twenty minutes.",
        ],
        [0.2, "start"],
        [2, "resolve", "Replaced the controller of the main door; all cards work again."],
        [180, "close"],
      ],
    },
  ),
];
