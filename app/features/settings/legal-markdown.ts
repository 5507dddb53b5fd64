import type { LegalText } from "~/content/legal";

/**
 * What stands before the first heading is the lead. Nothing but "## " and "- " is formatted, so nothing can hide in it.
 */

export const LEGAL_TEXT_MAX = 30_000;

type Written = Pick<LegalText, "lead" | "sections">;

export const legalMarkdown = ({ lead, sections }: Written): string =>
  [
    lead,
    ...sections.flatMap(({ title, blocks }) => [
      `## ${title}`,
      ...blocks.map((block) => (typeof block === "string" ? block : block.map((item) => `- ${item}`).join("\n"))),
    ]),
  ].join("\n\n");

export function readLegalText(markdown: string): Written | null {
  const [lead = "", ...parts] = `\n${markdown.replace(/\r\n?/g, "\n")}`.split(/\n## +/);
  const sections = parts.map((part, index) => {
    const [title = "", ...rest] = part.split("\n");
    return { id: `section-${index + 1}`, title: title.trim(), blocks: blocksOf(rest.join("\n")) };
  });
  if (sections.length === 0 || sections.some(({ title, blocks }) => title === "" || blocks.length === 0)) return null;
  return { lead: lead.replace(/\s+/g, " ").trim(), sections };
}

const blocksOf = (text: string): (string | string[])[] =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map((block) => {
      const lines = block.split("\n").map((line) => line.trim());
      const isList = lines.every((line) => /^[-*] \S/.test(line));
      return isList ? lines.map((line) => line.slice(2).trim()) : lines.join(" ");
    });
