import type { Template } from "../model";
import { composeMail, factsBlock, withoutLinks } from "./compose";
import { unsubscribeHeaders, unsubscribeLink } from "./unsubscribe";

/** Writes how a month went: the sentence that sums it up, what staff have added, the numbers, every missed promise. */
export const letterMail: Template<"letter"> = (letter, { site }) =>
  composeMail({
    subject: `${letter.title}: your letter from ${site.name}`,
    site,
    replyTo: site.email,
    headers: unsubscribeHeaders(site, letter.unsubscribePath),
    blocks: [
      { kind: "paragraph", text: letter.verdict },
      ...letter.sentences.map((text) => ({ kind: "paragraph" as const, text })),
      ...factsBlock("The month in numbers", letter.numbers),
      // Clients choose the titles of their tickets.
      ...factsBlock(
        "Promises we missed",
        letter.misses.map(({ term, detail }) => ({ term: withoutLinks(term), detail: withoutLinks(detail) })),
      ),
      { kind: "link", label: "Read the letter", href: `${site.origin}${letter.path}` },
      { kind: "paragraph", text: letter.signedBy },
      ...unsubscribeLink(site, letter.unsubscribePath),
    ],
  });
