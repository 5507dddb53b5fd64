import { isEmailAddress } from "~/lib/email";
import { excerpt, fileSize } from "~/lib/text";
import type { MailFact, Template } from "../model";
import { type Block, composeMail, factsBlock, withoutLinks } from "./compose";

const MESSAGE_EXCERPT = 500;

/** Returns the line of a fact, unless there is nothing to say. */
const known = (term: string, detail: string | null): MailFact[] => (detail ? [{ term, detail }] : []);

/**
 * Tells the provider's own people all they need to answer: who wrote, how to reach them, what they want and until when
 * an answer is promised. An answer by mail goes to the visitor.
 */
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
