import type { Template } from "../model";
import { type Block, composeMail, factsBlock } from "./compose";

/** Tells a member of staff what has happened to a submission. */
export const submissionUpdate: Template<"submission-update"> = (data, { site, about }) => {
  const { name, company, events, facts, estimate } = data;
  const { noun, number, staffUrl } = about();
  return composeMail({
    subject: `[${number}] ${company ? `${name}, ${company}` : name}`,
    site,
    blocks: [
      ...events.map(
        ({ sentence, text }): Block =>
          text === null ? { kind: "paragraph", text: sentence } : { kind: "quote", title: sentence, text },
      ),
      ...(facts.length > 0 ? [{ kind: "facts", facts } as const] : []),
      ...factsBlock("Estimate", estimate),
      { kind: "link", label: `Open the ${noun}`, href: staffUrl },
    ],
  });
};
