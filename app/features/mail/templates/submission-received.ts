import { expectations } from "~/content/expectations";
import type { MailBrand, Template } from "../model";
import { composeMail } from "./compose";

/** Matches a given name for a greeting. Anything else could be an advertisement mailed to a stranger in our name. */
const GIVEN_NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,39}$/u;

/** Returns the part of a sentence that says how to contact a person: by phone, if there is one, or by mail. */
function contactSentence({ phone, hours, email }: MailBrand): string {
  if (!phone) return `write to ${email}`;
  return `call ${phone.display}${hours ? ` (${hours})` : ""} or write to ${email}`;
}

/**
 * Acknowledges a submission. Whoever typed the address is not proved to own it, so beyond a name nothing of what was
 * typed is repeated.
 */
export const submissionReceived: Template<"submission-received"> = ({ firstName }, { site, about }) => {
  const { number } = about();
  const name = firstName.trim();
  return composeMail({
    subject: `We have your request: ${number}`,
    site,
    blocks: [
      { kind: "paragraph", text: GIVEN_NAME.test(name) ? `Hello ${name},` : "Hello," },
      {
        kind: "paragraph",
        text: `Thank you for writing to ${site.name}. A person reads your request, and we reply within 1 business day.`,
      },
      { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
      {
        kind: "steps",
        title: "What to Expect",
        steps: expectations.map(({ title, text }) => `${title}: ${text}`),
      },
      {
        kind: "paragraph",
        text: `If it can't wait, ${contactSentence(site)}, and name the reference.`,
      },
      {
        kind: "paragraph",
        text: `This address was entered in the contact form at ${site.origin}/contact. If that wasn't you, you can ignore this mail.`,
      },
    ],
  });
};
