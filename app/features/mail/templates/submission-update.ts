import type { Template } from "../model";
import { type Block, composeMail } from "./compose";

/** Tells a member of staff what has happened to a submission. */
export const submissionUpdate: Template<"submission-update"> = ({ name, company, events }, { site, about }) => {
  const { noun, number, staffUrl } = about();
  return composeMail({
    subject: `[${number}] ${company ? `${name}, ${company}` : name}`,
    site,
    blocks: [
      ...events.map(
        ({ sentence, text }): Block =>
          text === null ? { kind: "paragraph", text: sentence } : { kind: "quote", title: sentence, text },
      ),
      { kind: "link", label: `Open the ${noun}`, href: staffUrl },
    ],
  });
};
