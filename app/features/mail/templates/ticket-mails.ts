import { plural } from "~/lib/text";
import type { MailBrand, MailContent, MailData, MailThread, Template, TicketMailData } from "../model";
import { type Block, composeMail, factsBlock, unsubscribeHeaders, unsubscribeLink, withoutLinks } from "./compose";

/** All mails about one ticket have one subject and first reference, so that mail programs show one conversation. */

const MARKER = "— Reply above this line —";

const paragraph = (text: string): Block => ({ kind: "paragraph", text });

type Ticket = MailData[keyof TicketMailData];
type Update = MailData["ticket-update"];

const subjectOf = ({ number, title }: Ticket): string => `[${number}] ${title}`;

const AUTOMATIC = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };

/** Returns the headers by which an answer finds its ticket, and by which programs do not answer by themselves. */
const headersOf = ({ id }: MailThread, submitted: "auto-generated" | "auto-replied"): Record<string, string> => ({
  References: id,
  "In-Reply-To": id,
  ...AUTOMATIC,
  "Auto-Submitted": submitted,
});

const withMarker = ({ reply }: MailThread, blocks: readonly Block[]): Block[] =>
  reply ? [paragraph(MARKER), ...blocks, paragraph(`[${reply.token}]`)] : [...blocks];

const ticketLink = (site: MailBrand, { path }: Ticket): Block => ({
  kind: "link",
  label: "Open the ticket",
  href: `${site.origin}${path}`,
});

const howToAnswer = ({ thread }: Ticket): Block =>
  paragraph(thread.reply ? "Answer this mail, or open the ticket." : "To answer, open the ticket.");

const factsOf = ({ number, status, replyBy, resolveBy }: Ticket, organization: string | null): Block => ({
  kind: "facts",
  facts: [
    { term: "Ticket", detail: number },
    ...(organization ? [{ term: "Organization", detail: withoutLinks(organization) }] : []),
    { term: "Status", detail: status },
    ...(replyBy ? [{ term: "Next reply promised by", detail: replyBy }] : []),
    ...(resolveBy ? [{ term: "Resolution promised by", detail: resolveBy }] : []),
  ],
});

export const ticketMails: { [Kind in keyof TicketMailData]: Template<Kind> } = {
  "ticket-received": (ticket, { site }) =>
    composeMail({
      subject: subjectOf(ticket),
      site,
      replyTo: ticket.thread.reply?.address,
      headers: headersOf(ticket.thread, "auto-replied"),
      blocks: withMarker(ticket.thread, [
        paragraph("We have your ticket, and a person will read it."),
        factsOf(ticket, null),
        ticketLink(site, ticket),
        paragraph(
          ticket.thread.reply
            ? "Want to add something? Answer this mail, or open the ticket."
            : "Want to add something? Open the ticket.",
        ),
        { kind: "quote", title: "Your message", text: ticket.message },
      ]),
    }),
  "ticket-update": (ticket, { site }) => {
    if (ticket.opened) return openedMail(ticket, ticket.opened, site);
    return composeMail({
      subject: subjectOf(ticket),
      site,
      replyTo: ticket.thread.reply?.address,
      headers: headersOf(ticket.thread, "auto-generated"),
      blocks: withMarker(ticket.thread, [
        ...eventBlocks(ticket.events),
        ...(ticket.solved ? solvedQuestion(site, ticket.solved) : []),
        factsOf(ticket, ticket.isForStaff ? ticket.organization : null),
        ticketLink(site, ticket),
        howToAnswer(ticket),
        ...earlierBlocks(ticket.earlier),
      ]),
    });
  },
  "ticket-copy": (ticket, { site }) =>
    composeMail({
      subject: subjectOf(ticket),
      site,
      replyTo: ticket.thread.reply?.address ?? site.email,
      headers: { ...headersOf(ticket.thread, "auto-generated"), ...unsubscribeHeaders(site, ticket.path) },
      blocks: withMarker(ticket.thread, [
        // Whoever adds an address can write to it, so no link of theirs goes there in our name.
        ...eventBlocks(ticket.events.map((event) => ({ ...event, text: event.text && withoutLinks(event.text) }))),
        factsOf(ticket, ticket.organization),
        ...earlierBlocks(ticket.earlier.map((message) => ({ ...message, text: withoutLinks(message.text) }))),
        paragraph("You get a copy because a person on this ticket has added your address."),
        { kind: "link", label: "No more copies", href: `${site.origin}${ticket.path}`, isQuiet: true },
      ]),
    }),
};

const LISTED = 50;

function openedMail(
  { organization, path }: Update,
  opened: NonNullable<Update["opened"]>,
  site: MailBrand,
): MailContent {
  const sentence = `${withoutLinks(organization)} opened ${plural(opened.length, "ticket")}`;
  const more = opened.length - LISTED;
  return composeMail({
    subject: sentence,
    site,
    headers: AUTOMATIC,
    blocks: [
      paragraph(`${sentence} within a short time:`),
      {
        kind: "facts",
        facts: opened.slice(0, LISTED).map(({ number, title, by, isUrgent }) => ({
          term: number,
          detail: withoutLinks(`${isUrgent ? "Urgent: " : ""}${title} (${by})`),
        })),
      },
      ...(more > 0 ? [paragraph(`And ${more} more.`)] : []),
      { kind: "link", label: "Open the tickets", href: `${site.origin}${path}` },
    ],
  });
}

/** Says what has happened. The sentences have names in them, which people choose themselves. */
const eventBlocks = (events: Update["events"]): Block[] =>
  events.map(({ sentence, text }) => {
    const title = withoutLinks(sentence);
    return text === null ? paragraph(title) : { kind: "quote", title, text };
  });

const earlierBlocks = (earlier: Update["earlier"]): Block[] =>
  earlier.map(({ author, at, text }) => ({ kind: "quote", title: `Earlier: ${withoutLinks(author)}, ${at}`, text }));

const solvedQuestion = (site: MailBrand, { yes, no }: { yes: string; no: string }): Block[] => [
  paragraph("Is it solved?"),
  { kind: "link", label: "Yes, solved", href: `${site.origin}${yes}` },
  { kind: "link", label: "No, still broken", href: `${site.origin}${no}` },
];

export const letterMail: Template<"letter"> = (letter, { site }) =>
  composeMail({
    subject: `${letter.title}: your letter from ${site.name}`,
    site,
    replyTo: site.email,
    headers: unsubscribeHeaders(site, letter.unsubscribePath),
    blocks: [
      { kind: "paragraph", text: letter.verdict },
      ...letter.sentences.map((text) => ({ kind: "paragraph" as const, text })),
      ...factsBlock("The month in numbers", letter.numbers),
      // Clients choose the titles of their tickets.
      ...factsBlock(
        "Promises we missed",
        letter.misses.map(({ term, detail }) => ({ term: withoutLinks(term), detail: withoutLinks(detail) })),
      ),
      { kind: "link", label: "Read the letter", href: `${site.origin}${letter.path}` },
      { kind: "paragraph", text: letter.signedBy },
      ...unsubscribeLink(site, letter.unsubscribePath),
    ],
  });

export const dailySummary: Template<"daily-summary"> = ({ day, facts, path, choicesPath, unsubscribePath }, { site }) =>
  composeMail({
    subject: `Summary of ${day}`,
    site,
    headers: unsubscribeHeaders(site, unsubscribePath),
    blocks: [
      ...factsBlock("The day before, and now", facts),
      { kind: "link", label: "Open the dashboard", href: site.origin + path },
      { kind: "link", label: "Choose which mail you get", href: site.origin + choicesPath, isQuiet: true },
      ...unsubscribeLink(site, unsubscribePath),
    ],
  });
