import * as z from "zod";
import { expectations } from "~/content/expectations";
import { MODERATION_PATH } from "~/lib/addresses";
import { isEmailAddress } from "~/lib/email";
import { excerpt, fileSize, firstNameOf, fold } from "~/lib/text";
import { shortDay } from "~/lib/time-labels";
import { type Block, factsBlock, link, type MailBrand, type MailFact, paragraph, withoutLinks } from "../compose";
import { Events, Facts, mailKind, Text } from "../mail-kind";

/** Matches a given name for a greeting. Anything else could be an advertisement mailed to a stranger in our name. */
const GIVEN_NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,39}$/u;

function contactSentence({ phone, hours, email }: MailBrand): string {
  if (!phone) return `write to ${email}`;
  return `call ${phone.display}${hours ? ` (${hours})` : ""} or write to ${email}`;
}

const MESSAGE_EXCERPT = 500;

const known = (term: string, detail: string | null): MailFact[] => (detail ? [{ term, detail }] : []);

export const submissionMails = {
  // Whoever typed the address is not proved to own it: the greeting is a name or none, and the message a quotation.
  "submission-received": mailKind({
    schema: z.object({ firstName: z.string(), message: Text, estimate: Facts, replyBy: Text }),
    priority: 1,
    quotesSubject: true,
    template: (data, { site, about }) => {
      const { number } = about();
      const name = data.firstName.trim();
      const until = data.replyBy ? `: by ${data.replyBy}` : "";
      const quote: Block[] = data.message
        ? [{ kind: "quote", title: "Your message", text: withoutLinks(data.message) }]
        : [];
      return {
        subject: `We have your request: ${number}`,
        blocks: [
          paragraph(GIVEN_NAME.test(name) ? `Hello ${name},` : "Hello,"),
          paragraph(
            `Thank you for writing to ${site.name}. A person reads your request, and we reply within 1 business day${until}.`,
          ),
          { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
          ...quote,
          ...factsBlock("Your estimate", data.estimate),
          {
            kind: "steps",
            title: "What to Expect",
            steps: expectations.map(({ title, text }) => `${title}: ${text}`),
          },
          paragraph(`If it can't wait, ${contactSentence(site)}, and quote your reference.`),
          paragraph(
            `This address was entered in the contact form at ${site.origin}/contact. If that wasn't you, you can ignore this mail.`,
          ),
        ],
      };
    },
  }),
  "submission-notice": mailKind({
    schema: z.object({
      name: z.string(),
      email: z.string(),
      phone: Text,
      company: Text,
      message: Text,
      estimate: Facts,
      file: z.object({ name: z.string(), bytes: z.number() }).nullable().default(null),
      replyBy: Text,
    }),
    priority: 1,
    quotesSubject: true,
    template: (data, { about }) => {
      const { noun, number, staffUrl } = about();
      const { name, email, phone, company, message, file, estimate, replyBy } = data;
      const quote: Block[] = message ? [{ kind: "quote", text: withoutLinks(excerpt(message, MESSAGE_EXCERPT)) }] : [];
      return {
        subject: `New submission ${number}: ${company ? `${name}, ${company}` : name}`,
        replyTo: isEmailAddress(email) ? email : undefined,
        blocks: [
          paragraph("New request from the website. We promised a reply within 1 business day."),
          {
            kind: "facts",
            facts: [
              { term: "Number", detail: number },
              ...known("Reply by", replyBy),
              { term: "Name", detail: withoutLinks(name) },
              ...known("Company", company && withoutLinks(company)),
              { term: "Email", detail: email },
              ...known("Phone", phone && withoutLinks(phone)),
              ...known("File", file && `${withoutLinks(file.name)} (${fileSize(file.bytes)}, not virus-scanned)`),
            ],
          },
          ...quote,
          ...factsBlock("Estimate", estimate),
          { kind: "link", label: `Open the ${noun}`, href: staffUrl },
        ],
      };
    },
  }),
  "submission-update": mailKind({
    schema: z.object({ name: z.string(), company: Text, events: Events, facts: Facts, estimate: Facts }),
    priority: 1,
    quotesSubject: true,
    template: (data, { about }) => {
      const { name, company, events, facts, estimate } = data;
      const { noun, number, staffUrl } = about();
      return {
        subject: `[${number}] ${company ? `${name}, ${company}` : name}`,
        blocks: [
          ...events.map(
            ({ sentence, text }): Block =>
              text === null ? paragraph(sentence) : { kind: "quote", title: sentence, text: withoutLinks(text) },
          ),
          ...(facts.length > 0 ? [{ kind: "facts", facts: facts.map(withoutLinksIn) } as const] : []),
          ...factsBlock("Estimate", estimate),
          { kind: "link", label: `Open the ${noun}`, href: staffUrl },
        ],
      };
    },
  }),
  "submission-reply": mailKind({
    schema: z.object({ author: z.string(), message: z.string() }),
    priority: 1,
    quotesSubject: true,
    template: ({ author, message }, { site, about }) => {
      const { number } = about();
      const lines = message.split("\n").filter((line) => line.trim() !== "");
      return {
        subject: `Your request ${number}`,
        replyTo: site.email,
        blocks: [
          ...lines.map(paragraph),
          ...(isSigned(lines, author) ? [] : [paragraph(author)]),
          { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
        ],
      };
    },
  }),
  "submissions-over-cap": mailKind({
    schema: z.object({
      day: z.string(),
      cap: z.number(),
      path: z.string().default(MODERATION_PATH),
    }),
    priority: 1,
    template: ({ day, cap, path }, { site }) => ({
      subject: `More than ${cap.toLocaleString("en-US")} submissions on ${shortDay(day)}`,
      blocks: [
        paragraph(
          `The daily limit of ${cap.toLocaleString("en-US")} submissions was reached on ${shortDay(day)}. Submissions above the limit are held for review, without a notice of each one.`,
        ),
        link(site, "Review held submissions", path),
      ],
    }),
  }),
};

const SIGNATURE_LINES = 3;

function isSigned(lines: readonly string[], author: string): boolean {
  const names = [author, firstNameOf(author)].map(fold);
  return lines.slice(-SIGNATURE_LINES).some((line) => {
    const whole = fold(line).replace(/[\s.!]+$/u, "");
    // A hyphen inside a word is part of a name.
    const last = whole.split(/[,–—]\s*|(?:^|\s)-+\s*/u).at(-1) ?? "";
    return names.includes(whole) || names.includes(last);
  });
}

/** The address is one by which staff answer. */
const withoutLinksIn = (fact: MailFact): MailFact =>
  fact.term === "Email" ? fact : { ...fact, detail: withoutLinks(fact.detail) };
