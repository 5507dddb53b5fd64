import type { MailFact, Template } from "../model";
import { type Block, composeMail, factsBlock, withoutLinks } from "./compose";

/** Tells a member of staff what has happened to a submission, in which words and names are a visitor's. */
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
