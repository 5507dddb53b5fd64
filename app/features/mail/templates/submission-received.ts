import { expectations } from "~/content/expectations";
import type { MailBrand, Template } from "../model";
import { type Block, composeMail, factsBlock, withoutLinks } from "./compose";

/** Matches a given name for a greeting. Anything else could be an advertisement mailed to a stranger in our name. */
const GIVEN_NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,39}$/u;

/** Returns the part of a sentence that says how to contact a person: by phone, if there is one, or by mail. */
function contactSentence({ phone, hours, email }: MailBrand): string {
  if (!phone) return `write to ${email}`;
  return `call ${phone.display}${hours ? ` (${hours})` : ""} or write to ${email}`;
}

/**
 * Acknowledges a submission, and repeats what was sent. Whoever typed the address is not proved to own it: so the
 * greeting is a name or none, and the message is a marked quotation without links.
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
