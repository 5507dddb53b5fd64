import type { Template } from "../model";
import { composeMail } from "./compose";

/** Writes what a member of staff replied, line by line, and adds only who wrote it and the number to quote. */
export const submissionReply: Template<"submission-reply"> = ({ author, message }, { site, about }) => {
  const { number } = about();
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  return composeMail({
    subject: `Your request ${number}`,
    site,
    replyTo: site.email,
    blocks: [
      ...lines.map((text) => ({ kind: "paragraph" as const, text })),
      { kind: "paragraph", text: author },
      { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
    ],
  });
};
