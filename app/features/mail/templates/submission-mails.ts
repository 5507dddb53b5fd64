import { expectations } from "~/content/expectations";
import { shortDay } from "~/lib/due";
import { isEmailAddress } from "~/lib/email";
import { firstNameOf } from "~/lib/person-name";
import { excerpt, fileSize, fold } from "~/lib/text";
import type { MailBrand, MailFact, Template } from "../model";
import { type Block, composeMail, factsBlock, withoutLinks } from "./compose";

/** Matches a given name for a greeting. Anything else could be an advertisement mailed to a stranger in our name. */
const GIVEN_NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,39}$/u;

function contactSentence({ phone, hours, email }: MailBrand): string {
  if (!phone) return `write to ${email}`;
  return `call ${phone.display}${hours ? ` (${hours})` : ""} or write to ${email}`;
}

/**
 * Whoever typed the address is not proved to own it: so the greeting is a name or none, and the message a quotation.
 */
export const submissionReceived: Template<"submission-received"> = (data, { site, about }) => {
  const { number } = about();
  const name = data.firstName.trim();
  const until = data.replyBy ? `: by ${data.replyBy}` : "";
  const quote: Block[] = data.message
    ? [{ kind: "quote", title: "Your message", text: withoutLinks(data.message) }]
    : [];
  return composeMail({
    subject: `We have your request: ${number}`,
    site,
    blocks: [
      { kind: "paragraph", text: GIVEN_NAME.test(name) ? `Hello ${name},` : "Hello," },
      {
        kind: "paragraph",
        text: `Thank you for writing to ${site.name}. A person reads your request, and we reply within 1 business day${until}.`,
      },
      { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
      ...quote,
      ...factsBlock("Your estimate", data.estimate),
      {
        kind: "steps",
        title: "What to Expect",
        steps: expectations.map(({ title, text }) => `${title}: ${text}`),
      },
      {
        kind: "paragraph",
        text: `If it can't wait, ${contactSentence(site)}, and quote your reference.`,
      },
      {
        kind: "paragraph",
        text: `This address was entered in the contact form at ${site.origin}/contact. If that wasn't you, you can ignore this mail.`,
      },
    ],
  });
};

const MESSAGE_EXCERPT = 500;

const known = (term: string, detail: string | null): MailFact[] => (detail ? [{ term, detail }] : []);

/** An answer by mail goes to the visitor. */
export const submissionNotice: Template<"submission-notice"> = (data, { site, about }) => {
  const { noun, number, staffUrl } = about();
  const { name, email, phone, company, message, file, estimate, replyBy } = data;
  const quote: Block[] = message ? [{ kind: "quote", text: withoutLinks(excerpt(message, MESSAGE_EXCERPT)) }] : [];
  return composeMail({
    subject: `New submission ${number}: ${company ? `${name}, ${company}` : name}`,
    site,
    replyTo: isEmailAddress(email) ? email : undefined,
    blocks: [
      { kind: "paragraph", text: "New request from the website. We promised a reply within 1 business day." },
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
  });
};

export const submissionsOverCap: Template<"submissions-over-cap"> = ({ day, cap, path }, { site }) =>
  composeMail({
    subject: `More than ${cap.toLocaleString("en-US")} submissions on ${shortDay(day)}`,
    site,
    blocks: [
      {
        kind: "paragraph",
        text: `The daily limit of ${cap.toLocaleString("en-US")} submissions was reached on ${shortDay(day)}. Submissions above the limit are held for review, without a notice of each one.`,
      },
      { kind: "link", label: "Review held submissions", href: site.origin + path },
    ],
  });

/** Adds only the number to quote and, where staff have not signed themselves, who wrote it. */
export const submissionReply: Template<"submission-reply"> = ({ author, message }, { site, about }) => {
  const { number } = about();
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  return composeMail({
    subject: `Your request ${number}`,
    site,
    replyTo: site.email,
    blocks: [
      ...lines.map((text) => ({ kind: "paragraph" as const, text })),
      ...(isSigned(lines, author) ? [] : [{ kind: "paragraph" as const, text: author }]),
      { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
    ],
  });
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

export const submissionUpdate: Template<"submission-update"> = (data, { site, about }) => {
  const { name, company, events, facts, estimate } = data;
  const { noun, number, staffUrl } = about();
  return composeMail({
    subject: `[${number}] ${company ? `${name}, ${company}` : name}`,
    site,
    blocks: [
      ...events.map(
        ({ sentence, text }): Block =>
          text === null
            ? { kind: "paragraph", text: sentence }
            : { kind: "quote", title: sentence, text: withoutLinks(text) },
      ),
      ...(facts.length > 0 ? [{ kind: "facts", facts: facts.map(withoutLinksIn) } as const] : []),
      ...factsBlock("Estimate", estimate),
      { kind: "link", label: `Open the ${noun}`, href: staffUrl },
    ],
  });
};

/** Returns a fact without links. The address is one by which staff answer. */
const withoutLinksIn = (fact: MailFact): MailFact =>
  fact.term === "Email" ? fact : { ...fact, detail: withoutLinks(fact.detail) };
