import { storyOf } from "./story.mjs";

const CLIENTS = {
  dana: ["brightsmile-dental", "owner@brightsmile.example"],
  sam: ["brightsmile-dental", "lead@brightsmile.example"],
  priya: ["brightsmile-dental", "member@brightsmile.example"],
  chris: ["harbor-house-counseling", "owner@harborhouse.example"],
  noor: ["little-oaks-learning", "owner@littleoaks.example"],
};

const STAFF = { tech: "tech@wrenfield.example", admin: "admin@wrenfield.example", "-": null };

/**
 * Lists the tickets of every day, one a line: client | days ago | priority | category | who has it | title |
 * description, and then the steps of its course: hours after it was opened, what happened, and its text.
 */
export const EVERYDAY_TICKETS = parse(`
chris | 0.3 | low | Technical Support | - | Label maker has no driver on the new laptop | It asks for a disc, and the laptop has no drive.
noor | 0.5 | medium | Integration | - | Attendance list does not reach the county portal | The upload ends with error 407 since yesterday. We can send it by hand until Friday.
sam | 1.4 | medium | Technical Support | tech | New laptop for the second chair | The old one takes ten minutes to start. Same model as Dana's, please. | 2 start | 3 reply: Ordered. It arrives in three days, and I set it up here before I bring it over. | 4 note: Order 4471. Move the x-ray license from the old one first.
noor | 2.2 | high | Technical Support | tech | Enrolment of eight new tablets | They ask for a code that we do not have. The groups start next week. | 1 start | 2 reply: The code is for us: please leave them switched on near the window, and they enrol by themselves tonight. | 3 note: Two of the serial numbers are missing from the order.
dana | 2.6 | medium | Billing | admin | License of the imaging software ends this month | The maker offers one year or three. Which one should we take? | 3 reply: Three years cost as much as two and a half. Shall I order three for both rooms? | 3 wait
chris | 3.1 | low | Account Issues | tech | Mailbox of the front office is nearly full | There is a yellow bar that says 96 percent. | 5 reply: I can move everything older than two years into an archive that you can still search. May I? | 5 wait
noor | 2.9 | medium | Security | tech | Who still has a key card? | We would like a list before the holidays. | 4 reply: Here are 31 names, four of whom left in summer. Which cards shall I block? | 4 note: Cards 12 and 19 have never been used. | 4.1 wait
priya | 3.4 | high | Technical Support | tech | Printer in room 1 prints grey stripes | Consent forms cannot be read any more. | 1 start | 2 reply: The drum is worn. I bring a new one tomorrow at noon. | 25 resolve: Replaced the drum of the printer in room 1.
chris | 3.8 | medium | Security | admin | Strange mail about a parcel | It has our address and a link. I have not pressed it. | 1 reply: Well done, it is phishing. I have removed it from all of your mailboxes. | 2 answer: Good to know! | 2.5 resolve: Removed the mail from seven mailboxes and blocked its sender.
noor | 4.5 | urgent | Technical Support | tech | No phones in the red house | Parents cannot reach us. | 0.2 start | 0.5 reply: The switch in the cellar had lost power. The phones start again now. | 0.6 note: Second time this year, put a small battery there. | 1 resolve: Restarted the switch and moved its plug to a socket that nobody uses for cleaning.
sam | 5.6 | low | General Inquiry | admin | Where do I find the backup report? | Our insurance wants last month's. | 6 reply: It comes on the first of each month to Dana. I have sent you a copy. | 8 resolve: Sent the backup report and added Sam to those who get it.
priya | 14 | medium | Account Issues | tech | Password manager asks for a key every time | It used to remember my computer. | 3 reply: A cleaning program deletes what it remembers. I have told it not to. | 5 solved
sam | 19 | high | Performance | tech | VPN drops every few minutes | I work from home on Tuesdays and lose the charts each time. | 1 start | 2 reply: Your router and the practice use the same addresses. I have changed ours. | 20 answer: Four hours without a break. | 21 resolve: Gave the VPN addresses of its own.
dana | 31 | medium | Feature Request | admin | Music in the waiting room from one device | There are three remotes now. | 100 reply: Sorry for the wait. The loudspeakers can all be played from the front desk computer. | 102 note: Guest network only. | 124 answer: That is enough for us. | 125 close
priya | 39 | medium | Training | tech | Encrypted mail to patients | How do I know that it was encrypted? | 6 reply: There is a small lock next to the address. Write [secure] into the subject, and it is always there. | 24 solved
sam | 52 | urgent | Security | tech | Virus warning at the front desk | A red window with a phone number, and it does not close. | 0.1 start | 0.2 reply: Please do not call that number. It is only a web page: I have closed it from here. | 0.5 note: Full scan is clean. | 2 resolve: Closed the page, scanned the computer and blocked its address for the practice.
dana | 67 | medium | Billing | admin | Two invoices for the same laptop | 1,140 dollars, in August and again now. | 5 reply: The second one is wrong and cancelled. Sorry for that! | 6 resolve: Cancelled the second invoice.
priya | 84 | low | Technical Support | tech | Clock on the x-ray computer is wrong | Three minutes, and it grows. | 12 reply: It asks our server for the time now. | 13 resolve: Set the x-ray computer to take its time from the server.
chris | 12 | medium | Technical Support | tech | Wi-Fi in the group room asks for a login | It never did. Only guests should see that. | 2 start | 3 reply: Your laptops were on the guest network. They know the right one again. | 4 resolve: Removed the guest network from the laptops of the house.
chris | 24 | high | Account Issues | admin | A therapist leaves on Friday | Her notes must stay, her access must not. | 2 reply: On Friday at five her access ends, and her mail goes to you for three months. | 3 note: Her license is free from the first of the month. | 80 resolve: Ended all access, kept the notes and forwarded the mail until the end of the quarter.
chris | 41 | low | Billing | admin | Can we pay by card? | The office is closed on the days the transfers are due. | 10 reply: Yes, with the link at the foot of each invoice. | 12 solved
chris | 58 | medium | Integration | tech | Calendar of the booking page is a day behind | New clients book hours that are taken. | 2 start | 4 reply: It copied the calendar only at night; it is every five minutes now. | 26 answer: No double booking since. | 27 resolve: Made the booking page read the calendar every five minutes.
chris | 73 | urgent | Technical Support | tech | Nobody can sign in | It says that our certificate has expired. | 0.3 start | 0.6 reply: Renewed: please try again. | 0.8 answer: All in. | 1 note: Renewal is automatic now, and we are warned thirty days ahead. | 1.5 resolve: Renewed the certificate and made its renewal automatic.
chris | 87 | low | General Inquiry | tech | What to do with old hard disks? | There are five in a drawer. | 20 reply: We shred them and give you a paper that says so. | 60 resolve: Shredded five disks; the confirmation is in the post.
noor | 11 | high | Technical Support | tech | Camera at the back door offline | The picture is black since the weekend. | 1 start | 3 reply: Its cable was cut by the gardeners. A new one is in by tomorrow. | 27 resolve: Laid a new cable to the back door, this time inside the wall.
noor | 22 | medium | Account Issues | tech | Spring tutors have left | Please end the access of the five on our list. | 4 reply: Done for four. The fifth has signed in today: is that right? | 6 answer: She stays after all. | 7 resolve: Ended the access of four tutors; the fifth stays.
noor | 43 | low | Training | admin | Ten minutes on passwords for new staff | At our monthly meeting, with coffee. | 8 reply: Gladly. Tuesday at eight, and I bring the slides. | 160 resolve: Showed twelve people how the password manager works.
noor | 61 | medium | Bug Report | tech | Tablets forget the homework app | Every Monday it is gone and comes back in an hour. | 5 start | 20 note: A rule of last year still removes it on Sundays. | 21 reply: An old rule removed it on weekends. It will not any more. | 190 answer: Two Mondays without trouble. | 191 resolve: Deleted the rule that removed the app on weekends.
noor | 80 | medium | Security | admin | Renewal of the photo storage license | It ends next week. Will the pictures be deleted? | 3 reply: No, and it is renewed as of today. | 4 resolve: Renewed the license for one year.
`);

function parse(table) {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      const [client, daysAgo, priority, category, has, title, description, ...steps] = cells;
      const [organization, by] = CLIENTS[client];
      const rest = { has: STAFF[has], course: steps.map(toStep) };
      return storyOf(organization)(by, Number(daysAgo) * 24, priority, category, title, description, rest);
    });
}

/** Reads a step: `3 reply: On its way.`, or `3 wait`. */
function toStep(cell) {
  const [, after, what, text] = /^([\d.]+) (\w+)(?:: (.+))?$/.exec(cell);
  return [Number(after), what, text];
}
