import * as z from "zod";
import { factsBlock, link, paragraph, unsubscribeHeaders, unsubscribeLink, withoutLinks } from "../compose";
import { Facts, mailKind, Text } from "../mail-kind";

export const periodicMails = {
  "import-done": mailKind({
    schema: z.object({ added: z.string(), path: z.string() }),
    priority: 1,
    template: ({ added, path }, { site }) => ({
      subject: "Your import is done",
      blocks: [
        paragraph(`${added}. The page of the import says what became of each row, and undoes it for 24 hours.`),
        link(site, "Open the import", path),
      ],
    }),
  }),
  letter: mailKind({
    schema: z.object({
      title: z.string(),
      organization: z.string(),
      verdict: z.string(),
      sentences: z.array(z.string()).default([]),
      numbers: Facts,
      misses: Facts,
      signedBy: z.string(),
      path: z.string(),
      unsubscribePath: Text,
    }),
    priority: 1,
    ignoresQuietHours: true,
    template: (letter, { site }) => ({
      subject: `${letter.title}: your letter from ${site.name}`,
      replyTo: site.email,
      headers: unsubscribeHeaders(site, letter.unsubscribePath),
      blocks: [
        paragraph(letter.verdict),
        ...letter.sentences.map(paragraph),
        ...factsBlock("The month in numbers", letter.numbers),
        // Clients choose the titles of their tickets.
        ...factsBlock(
          "Promises we missed",
          letter.misses.map(({ term, detail }) => ({ term: withoutLinks(term), detail: withoutLinks(detail) })),
        ),
        link(site, "Read the letter", letter.path),
        paragraph(letter.signedBy),
        ...unsubscribeLink(site, letter.unsubscribePath),
      ],
    }),
  }),
  "daily-summary": mailKind({
    schema: z.object({
      day: z.string(),
      facts: Facts,
      path: z.string(),
      choicesPath: z.string(),
      unsubscribePath: Text,
    }),
    priority: 1,
    ignoresQuietHours: true,
    template: ({ day, facts, path, choicesPath, unsubscribePath }, { site }) => ({
      subject: `Summary of ${day}`,
      headers: unsubscribeHeaders(site, unsubscribePath),
      blocks: [
        ...factsBlock("The day before, and now", facts),
        link(site, "Open the dashboard", path),
        { kind: "link", label: "Choose which mail you get", href: site.origin + choicesPath, isQuiet: true },
        ...unsubscribeLink(site, unsubscribePath),
      ],
    }),
  }),
};
