import { LAB_PERCENT } from "./plans-and-prices";
import type { Feature, ServiceId } from "./services";

/*
 * Whom the provider works for. Texts marked "promise" go beyond the plans' terms: whoever runs this site must be able
 * to keep them.
 */
export type IndustrySlug = "healthcare" | "mental-health" | "nonprofit" | "professional" | "learning" | "remote";

export type Industry = {
  slug: IndustrySlug;
  title: string;
  /** Names the rule on the tab of its folder: the one such an organization is most often asked about. */
  rule: string;
  summary: string;
  description: string;
  /** Tells what happens to people, and what is then done. Promises, like those below. */
  situations: readonly Feature[];
  features: readonly string[];
  services: readonly ServiceId[];
};

export const industries: readonly Industry[] = [
  {
    slug: "healthcare",
    title: "Healthcare",
    rule: "HIPAA",
    summary: "Clinics and practices where a slow chart means a late patient.",
    description:
      "Front desk, exam rooms and billing each need something different from the same network, and all of it touches patient data. We keep charts quick, scanners scanning and access limited to the people who need it. HIPAA, the US health-privacy law, asks for evidence; we keep it.",
    situations: [
      {
        title: "The waiting room is full, and the chart takes a minute to open.",
        text: "We find out whether it is the line, the server or the chart’s own maker, and stay on it until it opens.",
      },
      {
        title: "An auditor asks who opened a record in May.",
        text: "Who has access is on file and kept current. What the chart itself logs, we help you find.",
      },
    ],
    features: [
      "Sign-in that suits shared exam-room computers",
      "Encrypted laptops and phones",
      // Promise: signing such an agreement.
      "Access reviews and a business associate agreement",
      "Maintenance outside clinic hours",
      "Printers and scanners fully supported",
    ],
    services: ["managed-it", "cybersecurity", "data-backup"],
  },
  {
    slug: "mental-health",
    title: "Mental health",
    rule: "HIPAA",
    summary: "Private sessions, private notes, and video that does not drop.",
    description:
      "A frozen picture in the wrong minute matters here more than anywhere. We tune the network for video, keep notes where only the clinician can open them, and treat every request as if it could mention a client. Please leave client names out of what you send us.",
    situations: [
      {
        title: "Five minutes before a session the video stutters.",
        text: "You call, and we look with you for what holds: another room, another device, or the phone.",
      },
      {
        title: "A clinician leaves.",
        text: "Access ends the day you tell us, and the notes stay where your rules want them.",
      },
    ],
    features: [
      "Rooms and Wi-Fi tested for telehealth",
      "Notes and recordings in approved storage only",
      "Phones that show the practice, not a personal number",
      "Quiet, discreet onsite visits",
    ],
    services: ["cybersecurity", "cloud-solutions", "network-infrastructure"],
  },
  {
    slug: "nonprofit",
    title: "Non-profit",
    rule: "PCI DSS",
    summary: "Donor data handled with care, and a budget treated as a gift.",
    description:
      "You answer to a board, a funder and the people you serve. We help you claim the non-profit pricing you’re entitled to, keep donor and card data out of spreadsheets, and give volunteers just enough access for just long enough.",
    situations: [
      {
        title: "The grant ends in June, the licenses in March.",
        text: "We line up the dates, and apply for what you can have at no cost.",
      },
      {
        title: "Twelve volunteers for one weekend.",
        text: "Twelve accounts that end on Monday by themselves.",
      },
    ],
    features: [
      "Donated and discounted licenses applied for on your behalf",
      "Volunteer accounts that expire by themselves",
      "Card payments kept inside the payment provider’s system, which is most of what PCI DSS wants",
      "A one-page yearly plan your board can read",
    ],
    services: ["managed-it", "cloud-solutions", "web-digital"],
  },
  {
    slug: "professional",
    title: "Professional services",
    rule: "SOC 2",
    summary: "Client files kept apart, deadlines kept, evidence kept for the questionnaire.",
    description:
      "Law, accounting, architecture, consulting: your clients ask how you protect their files before they sign. We build the controls, and the folder that proves them, in the language of the SOC 2 questions you keep receiving.",
    situations: [
      {
        title: "A client sends a security questionnaire on Friday.",
        text: "You get a draft with the evidence that is on file, and a list of what is missing.",
      },
      {
        title: "Two matters, one former colleague on both sides.",
        text: "Folders are kept apart, and who may open which is written down.",
      },
    ],
    features: [
      "Client and matter folders kept strictly apart",
      "Email and file retention that matches your rules",
      "Deadline-week cover agreed ahead",
      "Answers to security questionnaires drafted with you",
    ],
    services: ["cybersecurity", "data-backup", "cloud-solutions"],
  },
  {
    slug: "learning",
    title: "Learning centers & daycares",
    rule: "FERPA",
    summary: "Shared computers that reset, filters that make sense, cameras that record.",
    description: `Twenty learners, one lab, and a parent at the door. Lab computers return to a known state between sessions, filtering fits the age in the room, and cameras can be played back when it counts. Lab and shared computers are billed at ${LAB_PERCENT}% of the user rate.`,
    situations: [
      {
        title: "Twenty learners, one changed wallpaper, three games.",
        text: "We set the lab up so that a restart brings it back as it was.",
      },
      {
        title: "A parent asks what happened at 3:40.",
        text: "You look at the recording. That it plays is checked, not hoped.",
      },
    ],
    features: [
      "Labs that reset after every session",
      "Filtering by age group",
      "Student records kept to FERPA, the US education-records law",
      "Camera setup and checked playback",
      "Summer and term changes planned on your calendar",
    ],
    services: ["managed-it", "network-infrastructure", "web-digital"],
  },
  {
    slug: "remote",
    title: "Remote teams",
    rule: "GDPR and CCPA",
    summary: "One standard for every laptop, wherever it is opened.",
    description:
      "No office means every kitchen is one. We ship laptops ready to sign in, support people in their working hours, and get equipment back when someone leaves. If your users or customers are in Europe or California, we help you meet GDPR or CCPA where it touches IT.",
    situations: [
      {
        title: "A laptop stays in a taxi.",
        text: "You call, and we lock it and end its sign-ins. The next one is set up before it is sent.",
      },
      {
        title: "A new colleague starts in another time zone.",
        text: "The laptop comes set up, and the first sign-in has one page of steps. We are a call away.",
      },
    ],
    features: [
      // Promise: equipment is set up before it is sent.
      "Laptops set up before they ship",
      "Lost or stolen device wiped on request",
      "One sign-in for every tool",
      "A leaver checklist that includes the box to send it back in",
    ],
    services: ["cloud-solutions", "cybersecurity", "data-backup"],
  },
];

export type ComplianceRule = { name: string; asks: string; weDo: string };

export const complianceLead = "We work inside these rules with you. We don’t sell certificates.";

/** Lists the rules clients must follow, one line each: what they ask for and what the provider does about it. */
export const compliance: readonly ComplianceRule[] = [
  {
    name: "HIPAA",
    asks: "US health information stays private, and you can show how.",
    weDo: "Access control, encryption, audit trails, risk review paperwork.",
  },
  {
    name: "GDPR",
    asks: "People in Europe control their personal data.",
    weDo: "Data maps, retention, answering access requests.",
  },
  {
    name: "SOC 2",
    asks: "You prove your controls to your clients.",
    weDo: "Controls that match the criteria, evidence kept as you go.",
  },
  {
    name: "FERPA",
    asks: "US student records are seen only by those entitled to them.",
    weDo: "Accounts by role, logged access, clean labs.",
  },
  {
    name: "PCI DSS",
    asks: "Card data is handled only in approved ways.",
    weDo: "Cards kept inside the payment provider’s system, and a scan of what’s left.",
  },
  {
    name: "CCPA",
    asks: "Californians can see and delete their data.",
    weDo: "Inventory, deletion steps, vendor list.",
  },
];
