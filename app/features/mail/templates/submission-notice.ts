import { isEmailAddress } from "~/lib/email";
import { excerpt } from "~/lib/text";
import type { Template } from "../model";
import { type Block, composeMail } from "./compose";

const MESSAGE_EXCERPT = 500;

/** Tells the provider's own people who wrote and where to answer. An answer by mail goes to the visitor. */
export const submissionNotice: Template<"submission-notice"> = (data, { site, about }) => {
  const { noun, number, staffUrl } = about();
  const from = data.company ? `${data.name}, ${data.company}` : data.name;
  const quote: Block[] = data.message ? [{ kind: "quote", text: excerpt(data.message, MESSAGE_EXCERPT) }] : [];
  return composeMail({
    subject: `New submission ${number}: ${from}`,
    site,
    replyTo: isEmailAddress(data.email) ? data.email : undefined,
    blocks: [
      {
        kind: "paragraph",
        text: "Somebody wrote through the contact form. We promised a reply within 1 business day.",
      },
      {
        kind: "facts",
        facts: [
          { term: "Number", detail: number },
          { term: "Name", detail: data.name },
          ...(data.company ? [{ term: "Company", detail: data.company }] : []),
          { term: "E-mail", detail: data.email },
        ],
      },
      ...quote,
      { kind: "link", label: `Open the ${noun}`, href: staffUrl },
    ],
  });
};
