import { storyOf } from "./story.mjs";

const DANA = "owner@brightsmile.example";
const SAM = "lead@brightsmile.example";
const PRIYA = "member@brightsmile.example";
const TECH = "tech@wrenfield.example";
const ADMIN = "admin@wrenfield.example";

const told = storyOf("brightsmile-dental");

export const BRIGHTSMILE_TICKETS = [
  told(
    DANA,
    0.6,
    "urgent",
    "Technical Support",
    "Scanner sends blank pages to patient charts",
    "Since the update this morning every scan from room 2 arrives as a blank page. We are typing everything by hand.",
    { impact: "Scanning in both rooms, for all six of us." },
  ),
  told(
    SAM,
    2.1,
    "high",
    "Performance",
    "Practice software takes a minute to open a chart",
    "It started around nine. Restarting the computer at the front desk did not help. The other rooms are slow, too.",
    {
      has: TECH,
      course: [
        [0.4, "start"],
        [0.5, "note", "The server has 2 % of its disk left. Clearing old logs first."],
      ],
    },
  ),
  told(
    PRIYA,
    5,
    "medium",
    "Account Issues",
    "New hygienist starts on Monday",
    "Her name is Jo Park. She needs a mailbox, the practice software and the door code list. Same access as mine.",
  ),
  told(
    PRIYA,
    27,
    "low",
    "General Inquiry",
    "Can I use the label printer from my own room?",
    "It stands at the front desk and I walk over ten times a day.",
    {
      has: TECH,
      course: [
        [3, "reply", "You can: it is on the network already. Shall I add it to your computer this afternoon?"],
        [3, "wait"],
      ],
    },
  ),
  told(
    DANA,
    49,
    "medium",
    "Billing",
    "Question about the November invoice",
    "The line for computers says nine. We returned one in October, so it should be eight.",
    {
      has: ADMIN,
      course: [
        [
          4,
          "reply",
          "You are right, and the next invoice corrects both months. I have noted it here so that nobody has to ask again.",
        ],
        [6, "answer", "Perfect, thank you!"],
        [7, "resolve", "The November invoice is corrected to eight computers, and so is the contract."],
      ],
    },
  ),
  told(
    SAM,
    75,
    "high",
    "Technical Support",
    "No sound in video consultations",
    "Patients hear us, but we do not hear them. Both rooms, since Tuesday.",
    {
      has: TECH,
      course: [
        [1.5, "start"],
        [
          2,
          "reply",
          "The update has chosen another loudspeaker. Please pick the one called Room in the settings of the call, and tell me whether that helps.",
        ],
        [2, "wait"],
        [20, "answer", "Room 1 works now. Room 2 has no entry called Room."],
      ],
    },
  ),
  told(
    PRIYA,
    98,
    "medium",
    "Technical Support",
    "Second monitor stays black after lunch",
    "It works in the morning, and after the break I have to pull the cable and put it back.",
    {
      has: TECH,
      course: [
        [
          5,
          "reply",
          "That is a setting that saves power. I have changed it on your computer: please tell me tomorrow whether it stays on.",
        ],
        [5, "wait"],
        [28, "answer", "It stayed on all day."],
        [29, "resolve", "Turned off the power saving of the second monitor."],
      ],
    },
  ),
  told(
    DANA,
    120,
    "high",
    "Security",
    "Mail that looks like it came from our bank",
    "Two of us got it. Nobody has pressed anything, I think. What should we do?",
    {
      has: ADMIN,
      isPrivate: true,
      course: [
        [0.5, "start"],
        [
          0.7,
          "reply",
          "Thank you for asking first. Please delete it. I have blocked its sender for all of you, and nobody has opened the link: I have checked.",
        ],
        [1, "note", "Same wave as at two other clients. Block list updated for everybody."],
        [24, "resolve", "Blocked the sender and its links for the whole practice; nobody had opened them."],
      ],
    },
  ),
  told(
    PRIYA,
    170,
    "low",
    "Training",
    "How do I share a calendar with the laboratory?",
    "They should see when I am free, and nothing else.",
    {
      has: TECH,
      course: [
        [
          20,
          "reply",
          "Calendar, then Share, then Only free and busy. There is a short film about it in the portal of your mail.",
        ],
        [21, "answer", "Found it. The laboratory says thank you, too."],
        [22, "resolve", "Showed how to share only free and busy times with the laboratory."],
      ],
    },
  ),
  told(
    DANA,
    290,
    "medium",
    "Feature Request",
    "Text messages to remind patients",
    "Is there something that reads our calendar and sends a message the day before?",
    {
      has: ADMIN,
      course: [
        [22, "reply", "There is: your practice software can do it from version 9 on. I have asked for a price."],
        [100, "reply", "It is 40 dollars a month. If you like, we set it up with the next update."],
        [130, "answer", "Not this year, but thank you."],
        [131, "close"],
      ],
    },
  ),
  told(
    SAM,
    420,
    "urgent",
    "Technical Support",
    "Nobody can open the practice software",
    "All computers say that the server cannot be reached. The waiting room is full.",
    {
      has: TECH,
      impact: "Everything, for all of us.",
      course: [
        [0.2, "start"],
        [
          0.6,
          "reply",
          "The server is up again. A cable in the cabinet was loose: somebody must have pulled it while cleaning.",
        ],
        [1, "answer", "It works. You saved our afternoon."],
        [2, "resolve", "Fixed the cable of the server and put a cover over it."],
      ],
    },
  ),
  told(PRIYA, 640, "medium", "Integration", "X-rays do not reach the charts", "I have to copy them from the folder.", {
    has: TECH,
    course: [
      [8, "start"],
      [
        30,
        "reply",
        "The two programs had lost their connection when one of them was updated. New pictures arrive again, and I have moved the old ones.",
      ],
      [31, "resolve", "Connected the x-ray software to the charts again and moved 34 pictures."],
      [200, "close"],
    ],
  }),
];
