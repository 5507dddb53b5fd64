import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MailData, MailedEvent } from "~/features/mail/model";
import { notificationEvent } from "~/features/notifications/preferences/default-preferences";
import { estimateFacts } from "~/features/pricing/estimate-facts";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import type { SiteSettings } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { normalizeEmail } from "~/lib/email";
import { excerpt, fileSize } from "~/lib/text";
import type { ComposedMails, MailComposer } from "~/platform/subjects.server";
import { STATUS_LABELS } from "../copy";
import { SUBMISSION_STATUSES } from "../model";
import { promisedTime } from "../reply-target";

const MESSAGE_EXCERPT = 500;

type Row = {
  id: string;
  email: string;
  name: string;
  company: string | null;
  message: string | null;
  address: string;
  phone: string | null;
  replyDueAt: number;
  estimateJson: string | null;
  fileName: string | null;
  fileSize: number | null;
  event: string;
  detail: string;
  actorName: string;
};

/** Joins mails `o` with their recipient, who is active staff, and their submission. */
const withReader = (mailIds: readonly string[]): SQL => sql`json_each(${JSON.stringify(mailIds)}) wanted
  CROSS JOIN outbox o ON o.id = wanted.value CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active'
  CROSS JOIN user_roles r ON r.user_id = u.id AND r.role IN ('admin', 'moderator')
  CROSS JOIN contact_submissions s ON s.id = o.subject_id`;

/** Returns which mails about submissions may still be sent: those to staff. */
export async function listSendableSubmissionMails(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ id: string }>(sql`SELECT o.id FROM ${withReader(mailIds)}`);
  return new Set(rows.map(({ id }) => id));
}

/** Puts together mails to staff about submissions. The provider's own address has heard of a new one at once. */
export async function composeSubmissionMails(ctx: MailComposer, mailIds: readonly string[]): Promise<ComposedMails> {
  const [rows, settings] = await Promise.all([
    ctx.db.all<Row>(sql`
      SELECT o.id, u.email, s.first_name || ' ' || s.last_name AS name, s.company, s.message, s.email AS address, s.phone,
        s.reply_due_at AS replyDueAt, s.estimate_json AS estimateJson, a.name AS fileName, a.size AS fileSize,
        e.event, e.detail, e.actor_name AS actorName
      FROM ${withReader(mailIds)} CROSS JOIN mail_events e ON e.outbox_id = o.id
      LEFT JOIN attachments a ON a.id = s.attachment_id ORDER BY e.at, e.item_id`),
    getSettings(ctx.db),
  ]);
  const mails = new Map<string, { to: string; data: MailData["submission-update"] }>();
  for (const row of rows) {
    const { id, email: to, name, company } = row;
    const event =
      to === normalizeEmail(settings.adminEmail) && row.event === "new_submission" ? null : mailedEvent(row);
    if (!event) continue;
    const { events = [], ...known } = mails.get(id)?.data ?? { facts: [], estimate: [] };
    const fresh = row.event === "new_submission" ? factsOf(row, settings) : known;
    mails.set(id, { to, data: { name, company, ...fresh, events: [...events, event] } });
  }
  return mails;
}

type Facts = Pick<MailData["submission-update"], "facts" | "estimate">;

/** Returns what staff need to answer a new submission: until when, how to reach the visitor, file and estimate. */
function factsOf(
  { address, phone, fileName, fileSize: bytes, replyDueAt, estimateJson }: Row,
  settings: Pick<SiteSettings, "timeZone">,
): Facts {
  const estimate = readStoredEstimate(estimateJson);
  return {
    facts: [
      { term: "Reply by", detail: promisedTime(settings.timeZone, replyDueAt) },
      { term: "Email", detail: address },
      ...(phone ? [{ term: "Phone", detail: phone }] : []),
      ...(fileName ? [{ term: "File", detail: `${fileName} (${fileSize(bytes ?? 0)}, not virus-scanned)` }] : []),
    ],
    estimate: estimate ? estimateFacts(estimate) : [],
  };
}

function mailedEvent({ event, detail, actorName, message }: Row): MailedEvent | null {
  const known = notificationEvent(event);
  if (known === "new_submission")
    return { sentence: "New request from the website.", text: message && excerpt(message, MESSAGE_EXCERPT) };
  const status = SUBMISSION_STATUSES.find((one) => one === detail);
  return known === "submission_moved" && status
    ? { sentence: `${actorName || "We"} set your submission to ${STATUS_LABELS[status]}.`, text: null }
    : null;
}
