import * as z from "zod";
import { plural } from "~/lib/text";
import {
  type Block,
  link,
  type MailBrand,
  type MailDraft,
  paragraph,
  unsubscribeHeaders,
  withoutLinks,
} from "../compose";
import { Attached, Events, mailKind } from "../mail-kind";
import { REPLY_MARKER } from "../model";

// All mails about one ticket have one subject and first reference, so that mail programs show one conversation.

const Ticket = z.object({
  number: z.string(),
  title: z.string(),
  path: z.string(),
  status: z.string(),
  /** In words; null: none is promised. */
  replyBy: z.string().nullable(),
  resolveBy: z.string().nullish(),
  /** Names the thread of a mail, so that an answer to it is matched. */
  thread: z.object({
    /** The signed id that stands first in `References`. */
    id: z.string(),
    /** Ids of earlier mails that the reader got or sent, which follow it. */
    known: z.array(z.string()).readonly().optional(),
    /** Null as long as no mail can be received. */
    reply: z.object({ address: z.string(), token: z.string() }).nullable(),
  }),
});

const Earlier = z.array(z.object({ author: z.string(), at: z.string(), text: z.string() })).readonly();

const Update = Ticket.extend({
  organization: z.string(),
  isForStaff: z.boolean(),
  /** Tells whether it is about an internal note: an answer to it goes to no client. */
  isAboutNote: z.boolean().optional(),
  events: Events,
  earlier: Earlier,
  /** The two links that answer whether it is solved; null: the mail does not ask. */
  solved: z.object({ yes: z.string(), no: z.string() }).nullable(),
  /** Tickets that clients of one organization have opened within a short time: one mail tells staff of all. */
  opened: z
    .array(z.object({ number: z.string(), title: z.string(), by: z.string(), isUrgent: z.boolean() }))
    .readonly()
    .nullish(),
});

type Ticket = z.infer<typeof Ticket>;
export type MailThread = Ticket["thread"];
type Update = z.infer<typeof Update>;

/** Why what staff answered by mail is not sent. */
const NotSent = z.enum(["answered_first", "note", "untrimmed", "secret"]);
export type ReplyNotSent = z.infer<typeof NotSent>;

const NOT_SENT: Record<Exclude<ReplyNotSent, "answered_first">, string> = {
  note: "Your mail answers an internal note, so it was not sent to the client.",
  untrimmed: "We could not tell your answer from what it quotes, so it was not sent to the client.",
  secret: "Your answer seems to hold a password or a card number, so it was not sent to the client.",
};

const subjectOf = ({ number, title }: Ticket): string => `[${number}] ${title}`;

const AUTOMATIC = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };

/** Returns the headers by which an answer finds its ticket, and by which programs do not answer by themselves. */
const headersOf = (
  { id, known = [] }: MailThread,
  submitted: "auto-generated" | "auto-replied",
): Record<string, string> => ({
  References: [id, ...known].join(" "),
  "In-Reply-To": id,
  ...AUTOMATIC,
  "Auto-Submitted": submitted,
});

const withMarker = ({ reply }: MailThread, blocks: readonly Block[]): Block[] =>
  reply ? [paragraph(REPLY_MARKER), ...blocks, paragraph(`[${reply.token}]`)] : [...blocks];

const ticketLink = (site: MailBrand, { path }: Ticket): Block => link(site, "Open the ticket", path);

const howToAnswer = ({ thread }: Ticket): Block =>
  paragraph(thread.reply ? "Answer this mail, or open the ticket." : "To answer, open the ticket.");

const ANSWER_STAYS = "To answer, open the ticket. An answer to this mail only becomes your draft there.";

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

export const ticketMails = {
  "ticket-received": mailKind({
    schema: Ticket.extend({
      message: z.string(),
      /** Tells that its reader has no account. */
      isRequester: z.boolean().optional(),
    }),
    priority: 1,
    ignoresQuietHours: true,
    template: (ticket, { site }) => ({
      subject: subjectOf(ticket),
      replyTo: ticket.thread.reply?.address ?? (ticket.isRequester ? site.email : undefined),
      headers: headersOf(ticket.thread, "auto-replied"),
      blocks: withMarker(ticket.thread, [
        paragraph("We have your ticket, and a person will read it."),
        factsOf(ticket, null),
        ...(ticket.isRequester
          ? [paragraph(`Want to add something? ${howContactsAnswer(ticket, site)}`)]
          : [
              ticketLink(site, ticket),
              paragraph(
                ticket.thread.reply
                  ? "Want to add something? Answer this mail, or open the ticket."
                  : "Want to add something? Open the ticket.",
              ),
            ]),
        { kind: "quote", title: "Your message", text: ticket.message },
      ]),
    }),
  }),
  "ticket-update": mailKind({
    schema: Update,
    priority: 1,
    template: (ticket, { site }) => {
      if (ticket.opened) return openedMail(ticket, ticket.opened, site);
      return {
        subject: subjectOf(ticket),
        replyTo: ticket.thread.reply?.address,
        headers: headersOf(ticket.thread, "auto-generated"),
        blocks: withMarker(ticket.thread, [
          ...eventBlocks(ticket.events),
          ...(ticket.solved ? solvedQuestion(site, ticket.solved) : []),
          factsOf(ticket, ticket.isForStaff ? ticket.organization : null),
          ticketLink(site, ticket),
          ticket.isAboutNote ? paragraph(ANSWER_STAYS) : howToAnswer(ticket),
          ...earlierBlocks(ticket.earlier),
        ]),
      };
    },
  }),
  "ticket-copy": mailKind({
    schema: Ticket.extend({
      organization: z.string(),
      events: Events,
      earlier: Earlier,
      /** Counts files that are not sent with it: the reader has no account to open them with. */
      files: z.number().optional(),
      attached: Attached.optional(),
      /** Tells that it is the reader's own ticket: they have no account. */
      isRequester: z.boolean().optional(),
    }),
    priority: 1,
    template: (ticket, { site }) =>
      ticket.isRequester
        ? contactMail(ticket, site)
        : {
            subject: subjectOf(ticket),
            replyTo: ticket.thread.reply?.address ?? site.email,
            headers: { ...headersOf(ticket.thread, "auto-generated"), ...unsubscribeHeaders(site, ticket.path) },
            blocks: withMarker(ticket.thread, [
              // Whoever adds an address can write to it, so no link of theirs goes there in our name.
              ...eventBlocks(
                ticket.events.map((event) => ({ ...event, text: event.text && withoutLinks(event.text) })),
              ),
              ...howToGetFiles(ticket.files),
              factsOf(ticket, ticket.organization),
              ...earlierBlocks(ticket.earlier.map((message) => ({ ...message, text: withoutLinks(message.text) }))),
              paragraph("You get a copy because a person on this ticket has added your address."),
              { kind: "link", label: "No more copies", href: `${site.origin}${ticket.path}`, isQuiet: true },
            ]),
          },
  }),
  "reply-not-sent": mailKind({
    schema: z.object({
      number: z.string(),
      title: z.string(),
      path: z.string(),
      why: NotSent,
      /** Who answered first. */
      by: z.string(),
      /** What became of their draft; the mail is listed under Mail as well. */
      draft: z.enum(["made", "another", "files_only"]),
      hasFiles: z.boolean(),
    }),
    priority: 1,
    ignoresQuietHours: true,
    template: ({ number, title, path, why, by, draft, hasFiles }, { site }) => {
      const isFirst = why === "answered_first";
      const who = withoutLinks(by);
      return {
        subject: `[${number}] ${isFirst ? `${by} answered first` : "Your answer was not sent"}`,
        headers: { ...AUTOMATIC, "Auto-Submitted": "auto-replied" },
        blocks: [
          paragraph(
            isFirst ? `${who} answered ${number} before your mail arrived, so it was not sent.` : NOT_SENT[why],
          ),
          { kind: "facts", facts: [{ term: "Ticket", detail: `${number} ${withoutLinks(title)}` }] },
          paragraph(DRAFT[draft]),
          ...(hasFiles && draft === "made"
            ? [paragraph("Its files are not part of the draft. Add them again there.")]
            : []),
          link(site, "Open the ticket", path),
        ],
      };
    },
  }),
  "reply-sent-for-you": mailKind({
    schema: z.object({ number: z.string(), title: z.string(), path: z.string(), by: z.string() }),
    priority: 0,
    template: ({ number, title, path, by }, { site }) => {
      const who = withoutLinks(by);
      return {
        subject: `[${number}] ${by} sent your reply`,
        headers: AUTOMATIC,
        blocks: [
          paragraph(`${who} sent the client a reply that you mailed and that was held. It stands under your name.`),
          { kind: "facts", facts: [{ term: "Ticket", detail: `${number} ${withoutLinks(title)}` }] },
          paragraph(`Did you not write it? Tell ${who} at once, not by answering this mail.`),
          link(site, "Open the ticket", path),
        ],
      };
    },
  }),
};

const DRAFT = {
  made: "Your answer is your draft on the ticket. Read it there, and send it if it still fits.",
  another: "You have another draft on the ticket, which stays as it is. Your mail is listed under Mail.",
  files_only: "It has only files, which a draft cannot hold. Your mail is listed under Mail.",
};

const orCall = ({ phone }: MailBrand): string => (phone ? `, or call ${phone.display}` : "");

const howContactsAnswer = ({ thread, number }: Ticket, site: MailBrand): string =>
  thread.reply
    ? `Answer this mail${orCall(site)}.`
    : `To answer, write to ${site.email}${orCall(site)}, and name ${number}.`;

const howToGetFiles = (files = 0): Block[] =>
  files === 0
    ? []
    : [
        paragraph(
          files === 1
            ? "1 file is not in this mail. To get it, ask for it in your answer."
            : `${files} files are not in this mail. To get them, ask for them in your answer.`,
        ),
      ];

const attachedFiles = (attached: z.infer<typeof Attached> = []): Block[] =>
  attached.length === 0
    ? []
    : [paragraph(attached.length === 1 ? "1 file is attached." : `${attached.length} files are attached.`)];

type ContactMail = Ticket &
  Pick<Update, "events" | "earlier"> & { files?: number; attached?: z.infer<typeof Attached> };

/** Whoever has no account is answered by mail alone. */
const contactMail = (ticket: ContactMail, site: MailBrand): MailDraft => ({
  subject: subjectOf(ticket),
  replyTo: ticket.thread.reply?.address ?? site.email,
  headers: headersOf(ticket.thread, "auto-generated"),
  blocks: withMarker(ticket.thread, [
    ...eventBlocks(ticket.events),
    ...attachedFiles(ticket.attached),
    ...howToGetFiles(ticket.files),
    factsOf(ticket, null),
    paragraph(howContactsAnswer(ticket, site)),
    ...earlierBlocks(ticket.earlier),
  ]),
});

const LISTED = 50;

function openedMail({ organization, path }: Update, opened: NonNullable<Update["opened"]>, site: MailBrand): MailDraft {
  const sentence = `${withoutLinks(organization)} opened ${plural(opened.length, "ticket")}`;
  const more = opened.length - LISTED;
  return {
    subject: sentence,
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
      link(site, "Open the tickets", path),
    ],
  };
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
  link(site, "Yes, solved", yes),
  link(site, "No, still broken", no),
];
