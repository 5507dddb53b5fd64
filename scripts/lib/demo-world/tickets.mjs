const CLIENTS = {
  dana: { organization: "brightsmile-dental", by: "owner@brightsmile.example" },
  sam: { organization: "brightsmile-dental", by: "lead@brightsmile.example" },
  priya: { organization: "brightsmile-dental", by: "member@brightsmile.example" },
  chris: { organization: "harbor-house-counseling", by: "owner@harborhouse.example" },
  noor: { organization: "little-oaks-learning", by: "owner@littleoaks.example" },
};

const STAFF = { tech: "tech@wrenfield.example", admin: "admin@wrenfield.example", "-": null };

const HOURS = { h: 1, d: 24 };

/*
 * client | hours or days ago | priority | category | who has it | title | description
 *
 * The lines below say whether it is private, its impact, and what happened since, in hours after it was opened:
 * - `reply` and `answer`: a message of staff, of the client
 * - `note`: an internal note
 * - `start`, `wait`: staff begin to work, or ask the client and wait
 * - `resolve`: staff say what was done; `solved`: the client says it works; `close`: staff close it
 * - `copy`: the client lets an address without an account have copies
 */
export const TICKETS = parse(`
dana | 0.6h | urgent | Technical Support | - | Scanner sends blank pages to patient charts | Since the update this morning every scan from room 2 arrives as a blank page. We are typing everything by hand.
  impact: Scanning in both rooms, for all six of us.
sam | 2.1h | high | Performance | tech | Practice software takes a minute to open a chart | It started around nine. Restarting the computer at the front desk did not help. The other rooms are slow, too.
  0.4 start
  0.5 note: The server has 2 % of its disk left. Clearing old logs first.
priya | 5h | medium | Account Issues | - | New hygienist starts on Monday | Her name is Jo Park. She needs a mailbox, the practice software and the door code list. Same access as mine.
priya | 27h | low | General Inquiry | tech | Can I use the label printer from my own room? | It stands at the front desk and I walk over ten times a day.
  3 reply: You can: it is on the network already. Shall I add it to your computer this afternoon?
  3 wait
dana | 49h | medium | Billing | admin | Question about the November invoice | The line for computers says nine. We returned one in October, so it should be eight.
  4 reply: You are right, and the next invoice corrects both months. I have noted it here so that nobody has to ask again.
  6 answer: Perfect, thank you!
  7 resolve: The November invoice is corrected to eight computers, and so is the contract.
sam | 75h | high | Technical Support | tech | No sound in video consultations | Patients hear us, but we do not hear them. Both rooms, since Tuesday.
  1.5 start
  2 reply: The update has chosen another loudspeaker. Please pick the one called Room in the settings of the call, and tell me whether that helps.
  2 wait
  20 answer: Room 1 works now. Room 2 has no entry called Room.
priya | 98h | medium | Technical Support | tech | Second monitor stays black after lunch | It works in the morning, and after the break I have to pull the cable and put it back.
  5 reply: That is a setting that saves power. I have changed it on your computer: please tell me tomorrow whether it stays on.
  5 wait
  28 answer: It stayed on all day.
  29 resolve: Turned off the power saving of the second monitor.
dana | 120h | high | Security | admin | Mail that looks like it came from our bank | Two of us got it. Nobody has pressed anything, I think. What should we do?
  private
  0.5 start
  0.7 reply: Thank you for asking first. Please delete it. I have blocked its sender for all of you, and nobody has opened the link: I have checked.
  1 note: Same wave as at two other clients. Block list updated for everybody.
  24 resolve: Blocked the sender and its links for the whole practice; nobody had opened them.
priya | 170h | low | Training | tech | How do I share a calendar with the laboratory? | They should see when I am free, and nothing else.
  20 reply: Calendar, then Share, then Only free and busy. There is a short film about it in the portal of your mail.
  21 answer: Found it. The laboratory says thank you, too.
  22 resolve: Showed how to share only free and busy times with the laboratory.
dana | 290h | medium | Feature Request | admin | Text messages to remind patients | Is there something that reads our calendar and sends a message the day before?
  22 reply: There is: your practice software can do it from version 9 on. I have asked for a price.
  100 reply: It is 40 dollars a month. If you like, we set it up with the next update.
  130 answer: Not this year, but thank you.
  131 close
sam | 420h | urgent | Technical Support | tech | Nobody can open the practice software | All computers say that the server cannot be reached. The waiting room is full.
  impact: Everything, for all of us.
  0.2 start
  0.6 reply: The server is up again. A cable in the cabinet was loose: somebody must have pulled it while cleaning.
  1 answer: It works. You saved our afternoon.
  2 resolve: Fixed the cable of the server and put a cover over it.
priya | 640h | medium | Integration | tech | X-rays do not reach the charts | I have to copy them from the folder.
  8 start
  30 reply: The two programs had lost their connection when one of them was updated. New pictures arrive again, and I have moved the old ones.
  31 resolve: Connected the x-ray software to the charts again and moved 34 pictures.
  200 close
chris | 1.2h | medium | Technical Support | - | Printer in the front office prints only half a page | Every page ends in the middle. It is the one from last year.
chris | 3.5h | urgent | Technical Support | tech | Internet is down in the whole house | The box has a red light. We have sessions by video until six.
  impact: Internet and phones for seven people.
  0.3 start
  0.4 reply: I see it from here, too: the line of your provider is cut. They say two hours. I am sending somebody with a mobile router now.
  0.5 note: Provider ticket 88121. Router 3 is on its way with Morgan.
chris | 30h | low | Account Issues | - | Two people share a mailbox now | Can both get a mail when somebody writes to office@?
  4 note: Ask whether they want one signature or two.
chris | 52h | medium | Security | tech | Old laptop to give away | A colleague would like it for her daughter. Is there anything on it that must go first?
  6 reply: Yes, all of it. Please bring it by or put it aside: we erase it and write a note that says so.
  6 wait
chris | 101h | medium | Performance | tech | Video calls freeze in the back room | Two sessions dropped this week. The front rooms are fine on the same Wi-Fi.
  9 start
  26 reply: The access point in the corridor is too far away. I would put a second one into the back room: 120 dollars, half an hour.
  26 wait
  50 answer: Please do. Thursday before nine is best.
chris | 150h | high | Technical Support | admin | Cannot open the files of last year | The folder is there, but it says that I have no permission.
  2 reply: You should have had it, sorry. Please try again now.
  3 answer: Works!
  3.2 resolve: Gave the office access to the archive again.
chris | 260h | low | General Inquiry | admin | What happens to our data if the house burns down? | Our insurance asks.
  28 reply: A copy leaves the house every night and is kept for ninety days. I attach nothing here, but I can send you a letter for your insurance.
  50 answer: A letter would be great.
  52 resolve: Sent a letter about the backups to the office.
chris | 500h | medium | Bug Report | tech | Signature appears twice under our mails | Since the new phones came.
  7 reply: The phones add one of their own. I have turned it off for all of them.
  8 solved
  180 close
chris | 900h | high | Technical Support | tech | Phone at the front desk rings but nobody is there | Every call. Patients are annoyed.
  1 start
  3 reply: The headset was paired with two phones. It is paired with one now.
  4 resolve: Paired the headset of the front desk anew.
  175 close
noor | 0.9h | high | Technical Support | - | Tablets in the blue room cannot find the Wi-Fi | Twelve tablets, since this morning. The ones in the other rooms are fine.
noor | 4h | medium | Account Issues | admin | Three summer tutors | They start on June 2, with the same access as the spring group.
  0.6 start
noor | 26h | medium | Technical Support | tech | Front gate camera offline | It says no signal since the storm.
  1 start
  2 reply: The power supply outside is wet. I come by tomorrow at ten and bring a new one.
  3 copy: office@acorn-property.example
  20 note: Bring the long ladder.
noor | 44h | low | Training | admin | A short course for the new tablets | Could somebody show eight of us the basics? An hour is enough.
  5 reply: With pleasure. Would Wednesday at four work for you?
  5 wait
noor | 70h | urgent | Security | tech | Laptop stolen from a car | It was locked, but signed in to the mail. Taken last night.
  private
  impact: One laptop with access to the list of families.
  0.1 start
  0.3 reply: I have ended all sessions of that laptop and erased it from here. Please change the password of the mail now: the link is in your inbox.
  0.6 answer: Done.
  0.8 note: Disk was encrypted, key never left. No report to families needed, see the checklist.
  5 resolve: Locked and erased the laptop from afar; all sessions ended, password changed. The disk was encrypted.
noor | 110h | medium | Billing | admin | One invoice for three buildings, please | At the moment we get three.
  3 reply: From next month on there is one, with a line for each building.
  3.2 resolve: Invoices of the three buildings are one from December on.
noor | 200h | high | Performance | tech | Booking page is slow for parents | They write to us that it takes ages in the evening.
  2 start
  6 reply: Between six and eight the backup runs on the same line. I have moved it to two in the morning.
  6 wait
  40 answer: Much better since yesterday, thank you.
  41 resolve: Moved the nightly backup, which took the line that the booking page needs.
noor | 330h | medium | Feature Request | admin | Sign-in sheet on a tablet | Parents sign on paper now. Could that be a tablet at the door?
  10 reply: Yes. I have put three ways to do it into a letter with prices, which you have by mail.
  80 answer: We take the second one, in January.
  81 close
noor | 560h | low | Bug Report | tech | Clock in the yellow room is an hour off | Since the time change.
  20 reply: It shows the right time now, and will in spring, too.
  21 solved
  190 close
noor | 800h | urgent | Technical Support | tech | Door system lets nobody in | We are standing outside with forty children.
  impact: The main door, for everybody.
  0.1 reply: I have opened the main door from here. Please leave it on the latch until I am with you in twenty minutes.
  0.2 start
  2 resolve: Replaced the controller of the main door; all cards work again.
  180 close
chris | 0.3d | low | Technical Support | - | Label maker has no driver on the new laptop | It asks for a disc, and the laptop has no drive.
noor | 0.5d | medium | Integration | - | Attendance list does not reach the county portal | The upload ends with error 407 since yesterday. We can send it by hand until Friday.
sam | 1.4d | medium | Technical Support | tech | New laptop for the second chair | The old one takes ten minutes to start. Same model as Dana's, please.
  2 start
  3 reply: Ordered. It arrives in three days, and I set it up here before I bring it over.
  4 note: Order 4471. Move the x-ray license from the old one first.
noor | 2.2d | high | Technical Support | tech | Enrolment of eight new tablets | They ask for a code that we do not have. The groups start next week.
  1 start
  2 reply: The code is for us: please leave them switched on near the window, and they enrol by themselves tonight.
  3 note: Two of the serial numbers are missing from the order.
dana | 2.6d | medium | Billing | admin | License of the imaging software ends this month | The maker offers one year or three. Which one should we take?
  3 reply: Three years cost as much as two and a half. Shall I order three for both rooms?
  3 wait
chris | 3.1d | low | Account Issues | tech | Mailbox of the front office is nearly full | There is a yellow bar that says 96 percent.
  5 reply: I can move everything older than two years into an archive that you can still search. May I?
  5 wait
noor | 2.9d | medium | Security | tech | Who still has a key card? | We would like a list before the holidays.
  4 reply: Here are 31 names, four of whom left in summer. Which cards shall I block?
  4 note: Cards 12 and 19 have never been used.
  4.1 wait
priya | 3.4d | high | Technical Support | tech | Printer in room 1 prints grey stripes | Consent forms cannot be read any more.
  1 start
  2 reply: The drum is worn. I bring a new one tomorrow at noon.
  25 resolve: Replaced the drum of the printer in room 1.
chris | 3.8d | medium | Security | admin | Strange mail about a parcel | It has our address and a link. I have not pressed it.
  1 reply: Well done, it is phishing. I have removed it from all of your mailboxes.
  2 answer: Good to know!
  2.5 resolve: Removed the mail from seven mailboxes and blocked its sender.
noor | 4.5d | urgent | Technical Support | tech | No phones in the red house | Parents cannot reach us.
  0.2 start
  0.5 reply: The switch in the cellar had lost power. The phones start again now.
  0.6 note: Second time this year, put a small battery there.
  1 resolve: Restarted the switch and moved its plug to a socket that nobody uses for cleaning.
sam | 5.6d | low | General Inquiry | admin | Where do I find the backup report? | Our insurance wants last month's.
  6 reply: It comes on the first of each month to Dana. I have sent you a copy.
  8 resolve: Sent the backup report and added Sam to those who get it.
priya | 14d | medium | Account Issues | tech | Password manager asks for a key every time | It used to remember my computer.
  3 reply: A cleaning program deletes what it remembers. I have told it not to.
  5 solved
sam | 19d | high | Performance | tech | VPN drops every few minutes | I work from home on Tuesdays and lose the charts each time.
  1 start
  2 reply: Your router and the practice use the same addresses. I have changed ours.
  20 answer: Four hours without a break.
  21 resolve: Gave the VPN addresses of its own.
dana | 31d | medium | Feature Request | admin | Music in the waiting room from one device | There are three remotes now.
  100 reply: Sorry for the wait. The loudspeakers can all be played from the front desk computer.
  102 note: Guest network only.
  124 answer: That is enough for us.
  125 close
priya | 39d | medium | Training | tech | Encrypted mail to patients | How do I know that it was encrypted?
  6 reply: There is a small lock next to the address. Write [secure] into the subject, and it is always there.
  24 solved
sam | 52d | urgent | Security | tech | Virus warning at the front desk | A red window with a phone number, and it does not close.
  0.1 start
  0.2 reply: Please do not call that number. It is only a web page: I have closed it from here.
  0.5 note: Full scan is clean.
  2 resolve: Closed the page, scanned the computer and blocked its address for the practice.
dana | 67d | medium | Billing | admin | Two invoices for the same laptop | 1,140 dollars, in August and again now.
  5 reply: The second one is wrong and cancelled. Sorry for that!
  6 resolve: Cancelled the second invoice.
priya | 84d | low | Technical Support | tech | Clock on the x-ray computer is wrong | Three minutes, and it grows.
  12 reply: It asks our server for the time now.
  13 resolve: Set the x-ray computer to take its time from the server.
chris | 12d | medium | Technical Support | tech | Wi-Fi in the group room asks for a login | It never did. Only guests should see that.
  2 start
  3 reply: Your laptops were on the guest network. They know the right one again.
  4 resolve: Removed the guest network from the laptops of the house.
chris | 24d | high | Account Issues | admin | A therapist leaves on Friday | Her notes must stay, her access must not.
  2 reply: On Friday at five her access ends, and her mail goes to you for three months.
  3 note: Her license is free from the first of the month.
  80 resolve: Ended all access, kept the notes and forwarded the mail until the end of the quarter.
chris | 41d | low | Billing | admin | Can we pay by card? | The office is closed on the days the transfers are due.
  10 reply: Yes, with the link at the foot of each invoice.
  12 solved
chris | 58d | medium | Integration | tech | Calendar of the booking page is a day behind | New clients book hours that are taken.
  2 start
  4 reply: It copied the calendar only at night; it is every five minutes now.
  26 answer: No double booking since.
  27 resolve: Made the booking page read the calendar every five minutes.
chris | 73d | urgent | Technical Support | tech | Nobody can sign in | It says that our certificate has expired.
  0.3 start
  0.6 reply: Renewed: please try again.
  0.8 answer: All in.
  1 note: Renewal is automatic now, and we are warned thirty days ahead.
  1.5 resolve: Renewed the certificate and made its renewal automatic.
chris | 87d | low | General Inquiry | tech | What to do with old hard disks? | There are five in a drawer.
  20 reply: We shred them and give you a paper that says so.
  60 resolve: Shredded five disks; the confirmation is in the post.
noor | 11d | high | Technical Support | tech | Camera at the back door offline | The picture is black since the weekend.
  1 start
  3 reply: Its cable was cut by the gardeners. A new one is in by tomorrow.
  27 resolve: Laid a new cable to the back door, this time inside the wall.
noor | 22d | medium | Account Issues | tech | Spring tutors have left | Please end the access of the five on our list.
  4 reply: Done for four. The fifth has signed in today: is that right?
  6 answer: She stays after all.
  7 resolve: Ended the access of four tutors; the fifth stays.
noor | 43d | low | Training | admin | Ten minutes on passwords for new staff | At our monthly meeting, with coffee.
  8 reply: Gladly. Tuesday at eight, and I bring the slides.
  160 resolve: Showed twelve people how the password manager works.
noor | 61d | medium | Bug Report | tech | Tablets forget the homework app | Every Monday it is gone and comes back in an hour.
  5 start
  20 note: A rule of last year still removes it on Sundays.
  21 reply: An old rule removed it on weekends. It will not any more.
  190 answer: Two Mondays without trouble.
  191 resolve: Deleted the rule that removed the app on weekends.
noor | 80d | medium | Security | admin | Renewal of the photo storage license | It ends next week. Will the pictures be deleted?
  3 reply: No, and it is renewed as of today.
  4 resolve: Renewed the license for one year.
`);

function parse(table) {
  return table
    .trim()
    .split(/\n(?! )/)
    .map((block) => {
      const [head, ...lines] = block.split("\n").map((line) => line.trim());
      const [client, ago, priority, category, has, title, description] = head.split(" | ");
      const impact = lines.find((line) => line.startsWith("impact: "))?.slice("impact: ".length) ?? null;
      return {
        ...CLIENTS[client],
        hoursAgo: Number(ago.slice(0, -1)) * HOURS[ago.at(-1)],
        ...{ priority, category, title, description, impact },
        has: STAFF[has],
        isPrivate: lines.includes("private"),
        course: lines.map((line) => /^([\d.]+) (\w+)(?:: (.+))?$/.exec(line)).filter(Boolean),
      };
    });
}
