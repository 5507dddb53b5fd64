import type { Brand } from "~/content/brand";
import type { MailData } from "~/features/mail/kinds";
import type { PdfBlock, PdfDocument, PdfPicture } from "~/features/pdf/model";
import { plural } from "~/lib/text";
import { clockIn, dayIn, type Instant } from "~/lib/time";
import { durationInWords, shortDay, shortMoment } from "~/lib/time-labels";
import type { Letter, LetterMetrics, LetterText, Miss, SignedLetter } from "./model";

const MONTHS = "January February March April May June July August September October November December".split(" ");

const monthName = (month: string): string => MONTHS[Number(month.slice(5, 7)) - 1] ?? month;

/** "October 2026" */
export const monthTitle = (month: string): string => `${monthName(month)} ${month.slice(0, 4)}`;

const dateIn = (zone: string, at: Instant): string => {
  const day = dayIn(zone, at);
  return `${shortDay(day)}, ${day.slice(0, 4)}`;
};

/** Pure: the same metrics give the same letter. */
export function composeLetter(metrics: LetterMetrics, { sentences, reasons }: LetterText, at: Instant): Letter {
  const { misses, promises, zone } = metrics;
  const more = promises.missed - misses.length;
  return {
    organization: metrics.organization,
    month: metrics.month,
    title: monthTitle(metrics.month),
    date: dateIn(zone, at),
    verdict: verdictOf(metrics),
    intro: isQuiet(metrics)
      ? "Below is what we agreed, for your files."
      : "Below is what you asked, what we promised, and what we need from you.",
    numbers: numbersOf(metrics),
    misses: misses.map((miss, index) => ({
      ticket: miss.ticket,
      title: miss.title,
      promised: shortMoment(zone, miss.dueAt),
      answered: answeredInWords(miss, zone),
      reason: reasons[index] ?? "",
    })),
    moreMisses: more > 0 ? `${plural(more, "more promise was", "more promises were")} missed.` : "",
    asked: metrics.asked.map(({ category, count }) => ({ label: category, count: String(count) })),
    agreed: [
      { label: "Plan", value: metrics.plan },
      { label: "People", value: peopleInWords(metrics) },
      ...metrics.allowances.map(({ label, used }) => ({ label, value: used })),
    ],
    waiting: metrics.waiting,
    sentences: sentences.filter(Boolean),
  };
}

function answeredInWords({ dueAt, answeredAt }: Miss, zone: string): string {
  if (answeredAt === null) return "not yet";
  const isSameDay = dayIn(zone, answeredAt) === dayIn(zone, dueAt);
  const when = isSameDay ? clockIn(zone, answeredAt) : shortMoment(zone, answeredAt);
  return `${when}, late by ${durationInWords(answeredAt - dueAt)}`;
}

function peopleInWords({ people, withoutSecondFactor: without }: LetterMetrics): string {
  if (people === 0) return "None yet";
  const who = people === 1 ? "" : "all ";
  if (without === 0) return `${people}, ${who}with two-step sign-in`;
  if (without === people) return `${people}, ${who}without two-step sign-in`;
  return `${people}, ${without} of them without two-step sign-in`;
}

const isQuiet = ({ promises: { kept, missed }, created, resolved }: LetterMetrics): boolean =>
  kept + missed + created + resolved === 0;

function verdictOf(metrics: LetterMetrics): string {
  const { month, created, resolved, open, misses } = metrics;
  const { kept, missed } = metrics.promises;
  const name = monthName(month);
  const promised = kept + missed;
  if (isQuiet(metrics))
    return open === 0
      ? `${name} was quiet: you asked for nothing, and nothing is open.`
      : `${name} was quiet: you asked for nothing new, and ${plural(open, "ticket is", "tickets are")} still open.`;
  if (promised === 0) return `In ${name} you raised ${plural(created, "request")}, and we solved ${resolved}.`;
  if (missed === 0)
    return promised === 1
      ? `In ${name} we kept the one promise we gave.`
      : `In ${name} we kept all ${promised} promises.`;
  if (kept === 0) return `In ${name} we missed ${plural(missed, "promise")}. We owe you better.`;
  const [miss] = misses;
  const late = missed === 1 && miss?.answeredAt ? ` by ${durationInWords(miss.answeredAt - miss.dueAt)}` : "";
  return `In ${name} we kept ${kept} of ${promised} promises and missed ${missed === 1 ? "one" : missed}${late}.`;
}

function numbersOf({ promises, firstResponse, created, resolved, open }: LetterMetrics): Letter["numbers"] {
  const { kept, missed } = promises;
  const { median, n } = firstResponse;
  return [
    {
      value: kept + missed === 0 ? "—" : `${kept} of ${kept + missed}`,
      label: "promises kept, first and next replies",
    },
    {
      value: median === null ? "—" : durationInWords(median),
      label: n === 0 ? "first reply: none was due" : `first reply, median of ${n}, in open hours`,
    },
    { value: `${created} and ${resolved}`, label: "requests raised and solved" },
    { value: String(open), label: "open at the end of the month" },
  ];
}

export function letterhead({ name, address, phone, supportEmail }: Brand): { name: string; lines: string[] } {
  return { name, lines: [...address, [phone?.display, supportEmail].filter(Boolean).join(", ")].filter(Boolean) };
}

export function letterDocument(
  { letter, signedBy }: SignedLetter,
  { brand, picture, createdAt }: { brand: Brand; picture: PdfPicture | null; createdAt: Instant },
): PdfDocument {
  return {
    title: `${letter.title}, letter to ${letter.organization}`,
    sender: {
      ...letterhead(brand),
      color: brand.color,
      hasLogo: brand.logo !== null,
      picture,
    },
    headerLines: [letter.organization, letter.title, letter.date],
    createdAt,
    blocks: [
      { kind: "title", text: letter.verdict },
      { kind: "text", text: letter.intro },
      { kind: "figures", figures: letter.numbers },
      ...missesOf(letter),
      {
        kind: "sides",
        left: pairs(
          "What you asked for",
          letter.asked.map(({ label, count }) => [label, count]),
          "Nothing this month.",
        ),
        right: pairs(
          "What we agreed",
          letter.agreed.map(({ label, value }) => [label, value]),
          "",
        ),
      },
      ...listOf(
        "Waiting for you",
        letter.waiting.map(({ ticket, title }) => `${ticket} ${title}`),
      ),
      ...listOf("From us", letter.sentences),
      { kind: "text", text: `${signedBy}, ${brand.name}` },
      {
        kind: "text",
        text: `Questions? Write to ${brand.supportEmail}${brand.phone ? `, or call ${brand.phone.display}` : ""}.`,
        isMuted: true,
      },
    ],
  };
}

function missesOf({ misses, moreMisses }: Letter): PdfBlock[] {
  if (misses.length === 0) return [];
  return [
    { kind: "heading", text: misses.length === 1 ? "The promise we missed" : "The promises we missed" },
    {
      kind: "table",
      columns: [
        { label: "Ticket", share: 4 },
        { label: "Promised", share: 2 },
        { label: "Answered", share: 3 },
        { label: "Reason", share: 5 },
      ],
      rows: misses.map(({ ticket, title, promised, answered, reason }) => [
        `${ticket} ${title}`,
        promised,
        answered,
        reason,
      ]),
    },
    ...(moreMisses === "" ? [] : [{ kind: "text", text: moreMisses, isMuted: true } as const]),
  ];
}

const pairs = (title: string, rows: readonly (readonly [string, string])[], none: string): PdfBlock[] => [
  { kind: "heading", text: title },
  ...(rows.length === 0
    ? [{ kind: "text", text: none } as const]
    : [
        {
          kind: "table",
          columns: [
            { label: "", share: 2 },
            { label: "", share: 3, isNumber: true },
          ],
          rows,
        } as const,
      ]),
];

const listOf = (title: string, items: readonly string[]): PdfBlock[] =>
  items.length === 0
    ? []
    : [
        { kind: "heading", text: title },
        { kind: "list", items },
      ];

export const letterMail = (
  { letter, signedBy }: SignedLetter,
  path: string,
): Omit<MailData["letter"], "unsubscribePath"> => ({
  title: letter.title,
  organization: letter.organization,
  verdict: letter.verdict,
  sentences: [...letter.sentences],
  numbers: letter.numbers.map(({ value, label }) => ({ term: label, detail: value })),
  misses: letter.misses.map(({ ticket, title, promised, answered, reason }) => ({
    term: `${ticket} ${title}`,
    detail: `Promised ${promised}, answered ${answered}. ${reason}`,
  })),
  signedBy,
  path,
});
