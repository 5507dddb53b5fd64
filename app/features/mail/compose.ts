import type { Brand } from "~/content/brand";
import { logoSize, saysName } from "~/features/settings/model";
import { brandColors, DEFAULT_COLORS } from "~/lib/brand-colors";
import { escapeHtml, excerpt } from "~/lib/text";

export type MailFact = { term: string; detail: string };

export type MailBrand = Pick<Brand, "name" | "email" | "phone" | "hours" | "color" | "logo"> & { origin: string };

/** Describes what a mail is made of. Text and HTML come from the same blocks, so they cannot say different things. */
export type Block =
  | { kind: "paragraph"; text: string }
  | { kind: "facts"; title?: string; facts: readonly MailFact[] }
  | { kind: "steps"; title: string; steps: readonly string[] }
  /** Quotes words of somebody else, set off so that they cannot pass for ours. */
  | { kind: "quote"; title?: string; text: string }
  /** Links to a page, by a button; by a plain link where it is quiet, which is for what few readers want. */
  | { kind: "link"; label: string; href: string; isQuiet?: true };

export const paragraph = (text: string): Block => ({ kind: "paragraph", text });

export const link = ({ origin }: MailBrand, label: string, path: string): Block => ({
  kind: "link",
  label,
  href: `${origin}${path}`,
});

export const factsBlock = (title: string, facts: readonly MailFact[]): Block[] =>
  facts.length > 0 ? [{ kind: "facts", title, facts }] : [];

export type MailContent = {
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  headers?: Record<string, string>;
};

export type MailDraft = { subject: string; blocks: readonly Block[] } & Pick<MailContent, "replyTo" | "headers">;

const SUBJECT_MAX = 200;

/** Every value may come from a stranger: single lines are cleaned, and HTML is escaped here and nowhere else. */
export function composeMail(site: MailBrand, { subject, blocks, replyTo, headers }: MailDraft): MailContent {
  const signature = oneLine(signatureOf(site));
  const title = excerpt(oneLine(subject), SUBJECT_MAX);
  const body = {
    title,
    head: headOf(site),
    style: styleWith(site.color),
    content: blocks.map(blockAsHtml).join("\n"),
    signature,
  };
  return {
    subject: title,
    text: `${[...blocks.map(blockAsText), signature].join("\n\n")}\n`,
    html: htmlDocument(body),
    ...(replyTo ? { replyTo } : {}),
    ...(headers ? { headers } : {}),
  };
}

/** Mail programs show PNG pictures, and many no WebP; where they show none, the name is read. */
function headOf({ name, logo, origin }: MailBrand): string {
  const text = line(name);
  if (!logo?.src.endsWith(".png")) return text;
  const { width, height } = logoSize(logo, LOGO_ROOM);
  const picture = (alt: string) =>
    `<img src="${escapeHtml(origin + logo.src)}" alt="${alt}" width="${Math.round(width)}" height="${Math.round(height)}">`;
  return saysName(logo) ? picture(text) : `${picture("")} ${text}`;
}

const signatureOf = ({ name, phone, email }: MailBrand) => [name, phone?.display, email].filter(Boolean).join(" · ");

/** Direction overrides can make one text look like another, and have no use in names and short messages. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const oneLine = (text: string): string =>
  text
    .replace(DIRECTION, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

/**
 * What a part of a name in the web may begin with: letters and digits of every script, their marks, joiners, pictures.
 */
const LABEL = String.raw`[\p{L}\p{N}\p{M}\p{Cf}\p{So}]`;
const DOT = new RegExp(String.raw`(?<=${LABEL}|[-_])[.。．｡](?=${LABEL}{2}|\p{N}[.。．｡])`, "gu");

/** Unseen characters: taken out later, they would join an address again that they part. Scripts need the joiners. */
const UNSEEN = /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
const SCHEME_END = /:\p{Default_Ignorable_Code_Point}*\/\p{Default_Ignorable_Code_Point}*\/(?=\S)/gu;

/**
 * Mail programs make links of whatever looks like an address. A space after each dot in a word, and "://", breaks them.
 */
export const withoutLinks = (text: string): string =>
  text.replace(UNSEEN, "").replace(SCHEME_END, ":// ").replace(DOT, ". ");

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
      return titled(block.title, block.facts.map(({ term, detail }) => `${term}: ${oneLine(detail)}`).join("\n"));
    case "steps":
      return [block.title, ...block.steps.map((step, index) => `${index + 1}. ${oneLine(step)}`)].join("\n");
    case "quote":
      return titled(
        block.title,
        lines(block.text)
          .map((line) => `> ${line}`.trimEnd())
          .join("\n"),
      );
    case "link":
      return `${block.label}:\n${block.href}`;
  }
}

const titled = (title: string | undefined, text: string) => (title ? `${oneLine(title)}\n${text}` : text);

function blockAsHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${line(block.text)}</p>`;
    case "facts":
      return `${heading(block.title)}<table>${block.facts.map(({ term, detail }) => `<tr><th scope="row">${line(term)}</th><td>${line(detail)}</td></tr>`).join("")}</table>`;
    case "steps":
      return `${heading(block.title)}<ol>${block.steps.map((step) => `<li>${line(step)}</li>`).join("")}</ol>`;
    case "quote":
      return `${heading(block.title)}<blockquote>${lines(block.text).map(escapeHtml).join("<br>")}</blockquote>`;
    case "link":
      return `<p${block.isQuiet ? "" : ' class="action"'}><a href="${escapeHtml(block.href)}">${line(block.label)}</a></p>`;
  }
}

const heading = (title: string | undefined) => (title ? `<h2>${line(title)}</h2>\n` : "");
const line = (text: string) => escapeHtml(oneLine(text));

const LOGO_ROOM = { width: 144, height: 32 };

/** The colours of `ui/styles/tokens.css` as hexadecimal numbers, which every mail program knows. */
const STYLE = `body{margin:0;padding:24px 12px;background:#f1f6f7;color:#041a21;font:16px/1.55 Arial,sans-serif}
main{display:block;margin:0 auto;padding:20px 24px 12px;max-width:36em;background:#fff;border:1px solid #d9e1e3;border-top:4px solid #0f5a66}
.brand{margin:0 auto 12px;max-width:36em;font-weight:bold}.brand img{padding:3px;background:#fff;color:#041a21;vertical-align:middle}.end{margin:12px auto 0;max-width:41.1em;color:#58666a;font-size:14px}
p{margin:0 0 16px}h2{margin:24px 0 8px;font-size:16px}ol{margin:0 0 16px;padding-left:24px}
table{margin:0 0 16px;border-collapse:collapse}th{padding:2px 16px 2px 0;color:#3e4d51;font-weight:normal;text-align:left;vertical-align:top;white-space:nowrap}
@media (max-width:480px){th{white-space:normal}}
td{padding:2px 0;vertical-align:top;overflow-wrap:anywhere}blockquote{margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #c3cdcf;overflow-wrap:anywhere}
a{color:#0f5a66}.action a{display:inline-block;padding:10px 18px;background:#0f5a66;color:#fff;font-weight:bold;text-decoration:none}
@media (prefers-color-scheme:dark){body{background:#091518;color:#eaf2f3}main{background:#111f23;border-color:#2b393d;border-top-color:#96d0d7}
th{color:#b9c5c7}.end{color:#9aa7aa}blockquote{border-color:#405055}a{color:#96d0d7}.action a{background:#96d0d7;color:#041a21}}`;

function styleWith(color: string): string {
  const [own, { brand }] = [DEFAULT_COLORS.brand, brandColors(color)];
  return STYLE.replaceAll(own.light, brand.light).replaceAll(own.dark, brand.dark);
}

/** `head` is HTML itself. */
type HtmlBody = { title: string; head: string; style: string; content: string; signature: string };

const htmlDocument = ({ title, head, style, content, signature }: HtmlBody): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
<p class="brand">${head}</p>
<main>
${content}
</main>
<p class="end">${escapeHtml(signature)}</p>
</body></html>
`;

export const unsubscribeHeaders = ({ origin }: MailBrand, path: string | null): Record<string, string> =>
  path ? { "List-Unsubscribe": `<${origin}${path}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {};

export const unsubscribeLink = ({ origin }: MailBrand, path: string | null): Block[] =>
  path ? [{ kind: "link", label: "No more mail of this kind", href: `${origin}${path}`, isQuiet: true }] : [];
