import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import { referenceNumber } from "~/lib/ids";
import { escapeHtml, fileSize } from "~/lib/text";
import { clockIn, dayIn, type Instant } from "~/lib/time";

/*
 * The pages of an archive. They open from a disk, years later, without us: no script, no style sheet, no address of
 * ours. Every text is somebody's, and is escaped.
 */

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;color:#1c2024;background:#fff;max-width:52rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}a{color:#0b57a8}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:1rem 0}dt{color:#555}dd{margin:0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-bottom:1px solid #ddd}
td:first-child{white-space:nowrap}.scroll{overflow-x:auto}.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
article{border-top:1px solid #bbb;padding:.8rem 0}article.note{border:2px solid #9a6700;background:#fff8e5;padding:.8rem;margin:.8rem 0}
.by{color:#555;margin:0}.by b{color:#1c2024}ul.files{margin:.3rem 0;padding-left:1.2rem}
@media print{body{max-width:none;padding:0;font-size:11pt}article{break-inside:avoid-page}a{color:inherit}}`;

export function pageHead(title: string, up: { to: string; label: string } | null): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
${up ? `<p><a href="${linkTo(up.to)}">${escapeHtml(up.label)}</a></p>` : ""}<h1>${escapeHtml(title)}</h1>
`;
}

export const PAGE_END = "</body></html>\n";

/** Each part of the path, as a name may hold anything. */
const linkTo = (path: string): string => escapeHtml(path.split("/").map(encodeURIComponent).join("/"));

export const linkHtml = (to: string, text: string): string => `<a href="${linkTo(to)}">${escapeHtml(text)}</a>`;

export const momentOf = (zone: string, at: Instant): string => `${dayIn(zone, at)} ${clockIn(zone, at)}`;

export const tableHead = (...columns: string[]): string =>
  `<div class="scroll"><table><thead><tr>${columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("")}</tr></thead><tbody>\n`;

/** The cells are HTML. */
export const tableRow = (...cells: string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;

export const TABLE_END = "</tbody></table></div>\n";

export type ArchivedTicket = {
  id: string;
  number: number;
  /** Its place in the order of opening, in which tickets are gone through. */
  rank: number;
  title: string;
  description: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  organization: string;
  slug: string;
  requester: string;
  email: string | null;
  assignee: string | null;
  oldNumber: string | null;
  resolution: string | null;
  isPrivate: number;
  openedAt: Instant;
  resolvedAt: Instant | null;
  closedAt: Instant | null;
};

export type ArchivedMessage = {
  ticketId: string;
  id: string;
  rank: number;
  author: string;
  email: string | null;
  side: "client" | "staff";
  isInternal: number;
  text: string;
  at: Instant;
};

/** `path`: from the page of its ticket. */
export type ArchivedFile = { messageId: string | null; key: string; name: string; path: string; size: number };

export const ticketPage = (number: number): string => `${referenceNumber("ticket", number)}.html`;

const filesHtml = (files: readonly ArchivedFile[]): string =>
  files.length === 0
    ? ""
    : `<ul class="files">${files.map(({ name, path, size }) => `<li>${linkHtml(path, name)} (${fileSize(size)})</li>`).join("")}</ul>`;

type Facts = readonly (readonly [term: string, detail: string | null])[];

const factsHtml = (facts: Facts): string =>
  `<dl>${facts
    .filter(([, detail]) => detail)
    .map(([term, detail]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(detail ?? "")}</dd>`)
    .join("")}</dl>\n`;

/** Down to the first message. */
export function ticketHead(ticket: ArchivedTicket, files: readonly ArchivedFile[], zone: string): string {
  const at = (time: Instant | null) => (time === null ? null : momentOf(zone, time));
  return [
    pageHead(`${referenceNumber("ticket", ticket.number)}: ${ticket.title}`, {
      to: "../index.html",
      label: ticket.organization,
    }),
    factsHtml([
      ["Status", TICKET_STATUS_LABELS[ticket.status]],
      ["Priority", PRIORITY_LABELS[ticket.priority]],
      ["Category", ticket.category],
      ["Opened by", [ticket.requester, ticket.email].filter(Boolean).join(", ")],
      ["Opened", at(ticket.openedAt)],
      ["Handled by", ticket.assignee],
      ["Resolved", at(ticket.resolvedAt)],
      ["Closed", at(ticket.closedAt)],
      ["Number before", ticket.oldNumber],
      ["Visible to", ticket.isPrivate ? "Its people, and admins of the organization" : null],
      ["What was done", ticket.resolution],
    ]),
    `<div class="text">${escapeHtml(ticket.description)}</div>${filesHtml(files)}<h2>Conversation</h2>\n`,
  ].join("\n");
}

export function messageHtml(message: ArchivedMessage, files: readonly ArchivedFile[], zone: string): string {
  const side = message.isInternal ? "Internal note" : message.side === "staff" ? "Support" : "Client";
  return `<article${message.isInternal ? ' class="note"' : ""}><p class="by"><b>${escapeHtml(message.author)}</b> · ${side} · ${momentOf(zone, message.at)}</p>
<div class="text">${escapeHtml(message.text)}</div>${filesHtml(files)}</article>\n`;
}
