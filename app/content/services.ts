import type { Brand } from "./brand";
import { networkGearTerms, type PlanId } from "./plans-and-prices";

/*
 * What the provider looks after. Texts marked "promise" go beyond the plans' terms: whoever runs this site must be able
 * to keep them.
 */
export type ServiceId =
  | "managed-it"
  | "cybersecurity"
  | "cloud-solutions"
  | "data-backup"
  | "network-infrastructure"
  | "web-digital";

export type Service = {
  id: ServiceId;
  title: string;
  summary: string;
  overview: string;
  /** Tells what happens to people, and what is then done. Promises, like those below. */
  situations: readonly Feature[];
  features: readonly Feature[];
  benefits: readonly string[];
  stopDoing: string;
  also?: Feature;
  note?: (brand: Pick<Brand, "networkBrand">) => Feature | null;
  /** Names the plan it comes with; the page adds the price and starts the estimator with that plan. */
  cost: { text: string; plan: PlanId };
};

export type Feature = { title: string; text: string };

export const services: readonly Service[] = [
  {
    id: "managed-it",
    title: "Managed IT",
    summary:
      "One helpdesk for every computer, printer and password. We watch the machines, apply the updates and answer when something breaks.",
    overview:
      "Someone should be responsible for every computer in the building. That’s us. We keep a list of what you own, keep it updated, and answer when your people need help. Before we call something fixed, we check it with the person who reported it.",
    situations: [
      {
        title: "Monday, 8:02. The front desk can’t print.",
        text: "Your jobs go to the second printer, and we stay with the first one until it prints or a part is ordered.",
      },
      {
        title: "A new colleague starts on Thursday.",
        text: "You send a name and a date. Laptop, sign-in and the right groups are ready for the first morning.",
      },
    ],
    features: [
      {
        title: "A helpdesk that knows you",
        text: "Call or write to us. A person answers, and you know who is working on it.",
      },
      {
        title: "Care before it breaks",
        text: "We watch disks, batteries, updates and warranties, and fix the dull things during quiet hours.",
      },
      {
        // Promise: same-day removal.
        title: "Starters and leavers",
        text: "A new colleague gets a working laptop and sign-in on day one. When someone leaves, access ends the same day you tell us.",
      },
    ],
    benefits: [
      "One number to call",
      "An up-to-date list of what you own and how old it is",
      "Fewer surprises in the budget",
      "Your accidental IT person gets their own job back",
    ],
    stopDoing: "Restarting the router and hoping.",
    also: {
      title: "Camera support",
      text: "Security cameras are computers too, so they are on the list: updated, recording, and checked by playing back yesterday’s recording. {basic} covers up to 5 camera devices; for more, add Additional camera support to any plan.",
    },
    cost: {
      text: "{core} is full managed IT, with 16 onsite visits a year.",
      plan: "core",
    },
  },
  {
    id: "cybersecurity",
    title: "Cybersecurity & compliance",
    summary: "Protected sign-ins, watched devices, trained staff, and the paperwork your auditor asks for.",
    overview:
      "Most break-ins start with an ordinary email and a reused password. We close those doors first: two-step sign-in, managed updates, filtered email, encrypted laptops. Then we write down what is in place, so the next questionnaire takes an hour, not a week.",
    situations: [
      {
        title: "A partner’s mailbox sends you an invoice.",
        text: "We stop the link, help you reach the real sender, and tell everyone who got it why.",
      },
      {
        title: "The insurer sends forty questions.",
        text: "We fill them in from what is in place, and say where the answer is no.",
      },
    ],
    features: [
      {
        title: "Sign-ins that hold",
        text: "Two-step sign-in for everyone, unused accounts removed, alerts on odd sign-ins.",
      },
      {
        title: "Devices that are watched",
        text: "Managed protection on every computer, with a person reading the alerts.",
      },
      {
        title: "Evidence on file",
        text: "Policies, access lists and training records kept current and ready to hand over.",
      },
    ],
    benefits: [
      "Insurance and funder questionnaires answered from one folder",
      "Staff who know what a bad email looks like",
      "A plan on paper for the day something goes wrong",
    ],
    stopDoing: "Keeping passwords on a note under the keyboard.",
    note: () => ({
      title: "An honest word",
      text: "We help you meet a standard. We can’t certify you, and nobody can promise you’ll never be attacked.",
    }),
    cost: {
      text: "Essential cybersecurity is in every plan. Compliance work comes with {core}.",
      plan: "core",
    },
  },
  {
    id: "cloud-solutions",
    title: "Cloud & remote work",
    summary: "Email, files and calls that work the same from the front desk, the kitchen table and the van.",
    overview:
      "Moving to the cloud should mean fewer things to look after, not a second set of problems. We move your email, files and phones with a date, a rollback plan and someone on site the first morning.",
    situations: [
      {
        title: "The server in the cupboard is nine years old.",
        text: "We move it while you are closed, keep the old one running beside it, and switch that off when you say so.",
      },
      {
        title: "Half the team works from home on Fridays.",
        text: "The same files and the same sign-in, at home as at the desk.",
      },
    ],
    features: [
      { title: "Moves without lost mail", text: "We run old and new side by side until you say stop." },
      {
        title: "Shared files that make sense",
        text: "Folders people can guess, permissions that match your org chart, nothing shared with “anyone with the link” by accident.",
      },
      {
        title: "Working from anywhere",
        text: "Laptops that join your network safely, and calls that reach the right person.",
      },
    ],
    benefits: [
      "One sign-in for everything",
      "No server humming in a cupboard",
      "Licenses counted, and the unused ones cancelled",
    ],
    stopDoing: "Emailing the file to yourself.",
    cost: {
      text: "Looking after email, files and laptops is part of {core}. The move itself is quoted in your proposal.",
      plan: "core",
    },
  },
  {
    id: "data-backup",
    title: "Data backup",
    summary: "Copies kept in more than one place, and restored on a schedule so you know they open.",
    overview:
      "A backup you have never restored is a hope. We copy servers, laptops and cloud accounts to two places, one of them off site, and we restore samples on a schedule. The result goes in your record, pass or fail.",
    situations: [
      {
        title: "A folder is gone, and it is not clear since when.",
        text: "We look through the copies for the last one that has it, put it back, and you open it to be sure.",
      },
      {
        title: "A laptop is stolen from a car.",
        text: "We lock it and have it wiped as soon as it goes online. Its files come back from their copy.",
      },
    ],
    features: [
      {
        title: "Everything that matters",
        text: "Servers, shared drives, email and cloud files, the lab if you want it.",
      },
      {
        title: "Two places, one out of daily reach",
        text: "So a bad day on the network doesn’t reach every copy.",
      },
      { title: "Restores on the calendar", text: "We open real files and tell you how long it took." },
    ],
    benefits: [
      "You know how much work you could lose, in hours",
      "You know how long it takes to be back",
      "Retention set to match your rules",
    ],
    stopDoing: "Carrying a drive home on Fridays.",
    cost: {
      text: "Backups are part of {core}. Secure storage for archives can be added to any plan.",
      plan: "core",
    },
  },
  {
    id: "network-infrastructure",
    title: "Network & infrastructure",
    summary: "Wi-Fi that reaches every room, a firewall we look after, and cabling you can follow. Cameras too.",
    overview:
      "When the network is right nobody mentions it. We plan coverage room by room, keep guests, cameras and clinical or office devices apart, and label both ends of every cable.",
    situations: [
      {
        title: "Calls drop in the back room.",
        text: "We measure, add one access point where it is missing, and measure again.",
      },
      {
        title: "Guests ask for the Wi-Fi.",
        text: "They get one of their own, from which nothing of yours can be reached.",
      },
    ],
    features: [
      { title: "Wi-Fi by floor plan", text: "Measured before and after." },
      { title: "A firewall with an owner", text: "Updated, backed up and reviewed." },
      {
        title: "Cameras that record",
        text: "Placement, storage and a check that yesterday’s recording plays. {basic} covers up to 5 camera devices.",
      },
    ],
    benefits: [
      "Calls that don’t drop in the back room",
      "Visitors online without touching your systems",
      "A drawing of your network that is true",
    ],
    stopDoing: "Walking to the hallway for a signal.",
    note: ({ networkBrand }) =>
      networkBrand ? { title: "Good to know", text: `New ${networkGearTerms(networkBrand)}` } : null,
    cost: {
      text: "Network support is in every plan, starting with {basic}. Equipment is quoted in your proposal.",
      plan: "basic",
    },
  },
  {
    id: "web-digital",
    title: "Web & digital services",
    summary: "A site that loads fast, reads well on a phone and that you can edit yourselves.",
    overview:
      "Your website answers the phone when you can’t. We build and look after small sites: hours, services, forms, donations. Plain to edit, quick on a poor connection, and built so people using a keyboard or a screen reader can use it.",
    situations: [
      {
        title: "You close early on Wednesday.",
        text: "You change it yourself in one place, and it is right on every page.",
      },
      {
        title: "The contact form goes unanswered.",
        text: "Requests arrive in an inbox that your people share, and we send a test through it from time to time.",
      },
    ],
    features: [
      {
        title: "Accessible from the start",
        text: "Checked by keyboard and screen reader, not only by software.",
      },
      { title: "Forms that arrive", text: "Requests land in the right inbox, with spam kept out." },
      { title: "Looked after", text: "Domains, certificates and updates on our calendar." },
    ],
    benefits: [
      "Fewer calls asking for your opening hours",
      "One place to change a phone number",
      "Included in {premium}, and an add-on with any other plan",
    ],
    stopDoing: "Waiting for the nephew who built the website.",
    cost: {
      text: "Websites are included in {premium}. With any other plan, add Web services.",
      plan: "premium",
    },
  },
];

/** Maps short addresses that people try, or remember from elsewhere. They stay "not found" but say what was meant. */
export const shortServicePaths: Readonly<Record<string, { id: ServiceId; name: string }>> = {
  cloud: { id: "cloud-solutions", name: "Cloud & Remote Work" },
  backup: { id: "data-backup", name: "Data Backup" },
  network: { id: "network-infrastructure", name: "Network & Infrastructure" },
  web: { id: "web-digital", name: "Web & Digital Services" },
};
