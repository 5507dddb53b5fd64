import { storyOf } from "./story.mjs";

const TECH = "tech@wrenfield.example";
const ADMIN = "admin@wrenfield.example";

const story = storyOf("harbor-house-counseling");
const told = (...rest) => story("owner@harborhouse.example", ...rest);

export const HARBOR_HOUSE_TICKETS = [
  told(
    1.2,
    "medium",
    "Technical Support",
    "Printer in the front office prints only half a page",
    "Every page ends in the middle. It is the one from last year.",
  ),
  told(
    3.5,
    "urgent",
    "Technical Support",
    "Internet is down in the whole house",
    "The box has a red light. We have sessions by video until six.",
    {
      impact: "Internet and phones for seven people.",
      has: TECH,
      course: [
        [0.3, "start"],
        [
          0.4,
          "reply",
          "I see it from here, too: the line of your provider is cut. They say two hours. I am sending somebody with a mobile router now.",
        ],
        [0.5, "note", "Provider ticket 88121. Router 3 is on its way with Morgan."],
      ],
    },
  ),
  told(
    30,
    "low",
    "Account Issues",
    "Two people share a mailbox now",
    "Can both get a mail when somebody writes to office@?",
    { course: [[4, "note", "Ask whether they want one signature or two."]] },
  ),
  told(
    52,
    "medium",
    "Security",
    "Old laptop to give away",
    "A colleague would like it for her daughter. Is there anything on it that must go first?",
    {
      has: TECH,
      course: [
        [6, "reply", "Yes, all of it. Please bring it by or put it aside: we erase it and write a note that says so."],
        [6, "wait"],
      ],
    },
  ),
  told(
    101,
    "medium",
    "Performance",
    "Video calls freeze in the back room",
    "Two sessions dropped this week. The front rooms are fine on the same Wi-Fi.",
    {
      has: TECH,
      course: [
        [9, "start"],
        [
          26,
          "reply",
          "The access point in the corridor is too far away. I would put a second one into the back room: 120 dollars, half an hour.",
        ],
        [26, "wait"],
        [50, "answer", "Please do. Thursday before nine is best."],
      ],
    },
  ),
  told(
    150,
    "high",
    "Technical Support",
    "Cannot open the files of last year",
    "The folder is there, but it says that I have no permission.",
    {
      has: ADMIN,
      course: [
        [2, "reply", "You should have had it, sorry. Please try again now."],
        [3, "answer", "Works!"],
        [3.2, "resolve", "Gave the office access to the archive again."],
      ],
    },
  ),
  told(260, "low", "General Inquiry", "What happens to our data if the house burns down?", "Our insurance asks.", {
    has: ADMIN,
    course: [
      [
        28,
        "reply",
        "A copy leaves the house every night and is kept for ninety days. I attach nothing here, but I can send you a letter for your insurance.",
      ],
      [50, "answer", "A letter would be great."],
      [52, "resolve", "Sent a letter about the backups to the office."],
    ],
  }),
  told(500, "medium", "Bug Report", "Signature appears twice under our mails", "Since the new phones came.", {
    has: TECH,
    course: [
      [7, "reply", "The phones add one of their own. I have turned it off for all of them."],
      [8, "solved"],
      [180, "close"],
    ],
  }),
  told(
    900,
    "high",
    "Technical Support",
    "Phone at the front desk rings but nobody is there",
    "Every call. Patients are annoyed.",
    {
      has: TECH,
      course: [
        [1, "start"],
        [3, "reply", "The headset was paired with two phones. It is paired with one now."],
        [4, "resolve", "Paired the headset of the front desk anew."],
        [175, "close"],
      ],
    },
  ),
];
