import { escapeHtml, excerpt } from "~/lib/text";
import type { MailContent, SiteFacts } from "../model";

/** Describes what a mail is made of. Text and HTML come from the same blocks, so they cannot say different things. */
export type Block =
  | { kind: "paragraph"; text: string }
  | { kind: "facts"; facts: readonly { term: string; detail: string }[] }
  | { kind: "steps"; title: string; steps: readonly string[] }
  /** Words of somebody else, set off so that they cannot pass for ours. */
  | { kind: "quote"; text: string }
  | { kind: "link"; label: string; href: string };

type Draft = { subject: string; blocks: readonly Block[]; site: SiteFacts; replyTo?: string };

const SUBJECT_MAX = 200;

/**
 * Puts a mail together. Every value may come from a stranger: line breaks, control and direction-changing characters
 * are taken out of single lines, and HTML is escaped here and nowhere else.
 */
export function composeMail({ subject, blocks, site, replyTo }: Draft): MailContent {
  const signature: Block = { kind: "paragraph", text: signatureOf(site) };
  const all = [...blocks, signature];
  const title = excerpt(oneLine(subject), SUBJECT_MAX);
  return {
    subject: title,
    text: `${all.map(blockAsText).join("\n\n")}\n`,
    html: htmlDocument(title, all.map(blockAsHtml).join("\n")),
    ...(replyTo ? { replyTo } : {}),
  };
}

const signatureOf = ({ name, phone, email }: SiteFacts) => [name, phone?.display, email].filter(Boolean).join(" · ");

/**
 * Matches direction overrides. They can make one text look like another, and have no use in names and short messages.
 */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns any text as one line of plain words. */
const oneLine = (text: string): string =>
  text
    .replace(DIRECTION, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

const lines = (text: string): string[] =>
  text
    .replace(DIRECTION, "")
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\p{Cc}/gu, " ").trimEnd());

function blockAsText(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return oneLine(block.text);
    case "facts":
      return block.facts.map(({ term, detail }) => `${term}: ${oneLine(detail)}`).join("\n");
    case "steps":
      return [block.title, ...block.steps.map((step, index) => `${index + 1}. ${oneLine(step)}`)].join("\n");
    case "quote":
      return lines(block.text)
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
    case "link":
      return `${block.label}:\n${block.href}`;
  }
}

function blockAsHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${line(block.text)}</p>`;
    case "facts":
      return `<table>${block.facts.map(({ term, detail }) => `<tr><th scope="row">${line(term)}</th><td>${line(detail)}</td></tr>`).join("")}</table>`;
    case "steps":
      return `<h2>${line(block.title)}</h2>\n<ol>${block.steps.map((step) => `<li>${line(step)}</li>`).join("")}</ol>`;
    case "quote":
      return `<blockquote>${lines(block.text).map(escapeHtml).join("<br>")}</blockquote>`;
    case "link":
      return `<p><a href="${escapeHtml(block.href)}">${line(block.label)}</a></p>`;
  }
}

const line = (text: string) => escapeHtml(oneLine(text));

/**
 * Holds the styles of a mail. No colours and no pictures: it must read well in every mail program, light or dark, and
 * load nothing.
 */
const STYLE = `body{margin:0 auto;padding:24px 16px;max-width:36em;font:16px/1.55 Arial,sans-serif}
h2{font-size:1em}table{border-collapse:collapse}th{padding:2px 16px 2px 0;text-align:left;vertical-align:top}
td{padding:2px 0}blockquote{margin:16px 0;padding-left:16px;border-left:3px solid}`;

const htmlDocument = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
${body}
</body></html>
`;
