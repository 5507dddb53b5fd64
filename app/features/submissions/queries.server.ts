import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { attachments } from "~/db/schema/attachments";
import { totals } from "~/db/schema/machinery";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import type { Estimate } from "~/features/pricing/estimate";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { type Page, type PageRequest, pageOf } from "~/lib/paging";
import { recordNumber } from "~/lib/record-number";
import type { Instant } from "~/lib/time";
import {
  type HeldReason,
  type StatusChange,
  SUBMISSION_STATUSES,
  type SubmissionCounts,
  type SubmissionStatus,
} from "./model";

const t = contactSubmissions;
const fullName = sql<string>`${t.first_name} || ' ' || ${t.last_name}`.as("name");

export type SubmissionRow = {
  id: string;
  /** As people quote it: `L-1001`. */
  number: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
};

/** One page of requests, newest first, held ones left out. Reads page size + 1 rows at any number of requests. */
export async function listSubmissions(
  db: Db,
  page: PageRequest,
  status: SubmissionStatus | null,
): Promise<Page<SubmissionRow>> {
  const conditions: (SQL | undefined)[] = [isNull(t.held_reason), status ? eq(t.status, status) : undefined];
  if (page.after) conditions.push(sql`(${t.created_at}, ${t.id}) < (${page.after.at}, ${page.after.id})`);
  if (page.before) conditions.push(sql`(${t.created_at}, ${t.id}) > (${page.before.at}, ${page.before.id})`);
  const direction = page.before ? asc : desc;
  const rows = await db
    .select({
      id: t.id,
      at: t.created_at,
      number: t.number,
      name: fullName,
      email: t.email,
      phone: t.phone,
      company: t.company,
      status: t.status,
    })
    .from(t)
    .where(and(...conditions))
    .orderBy(direction(t.created_at), direction(t.id))
    .limit(page.size + 1);
  const { rows: shown, newer, older } = pageOf(page, rows);
  return {
    rows: shown.map(({ at, ...row }) => ({ ...row, number: recordNumber("submission", row.number), submittedAt: at })),
    newer,
    older,
  };
}

/** The maintained counts; four rows, however many requests there are. */
export async function countSubmissions(db: Db): Promise<SubmissionCounts> {
  const names = [...SUBMISSION_STATUSES, "held"].map((name) => `submission.${name}`);
  const rows = await db
    .select({ name: totals.name, value: totals.value })
    .from(totals)
    .where(inArray(totals.name, names));
  const valueOf = (name: string) => rows.find((row) => row.name === `submission.${name}`)?.value ?? 0;
  const counts = { new: valueOf("new"), contacted: valueOf("contacted"), resolved: valueOf("resolved") };
  return { ...counts, all: counts.new + counts.contacted + counts.resolved, held: valueOf("held") };
}

export type SubmissionDetails = SubmissionRow & {
  message: string | null;
  heldReason: HeldReason | null;
  version: number;
  consentAt: Instant;
  consentTermsVersion: string;
  /** What the sender had put together on the pricing page, at the prices of that day. */
  estimate: Estimate | null;
  file: { id: string; name: string; bytes: number } | null;
};

/** Everything about one request. Null when there is none of that id. */
export async function findSubmission(db: Db, id: string): Promise<SubmissionDetails | null> {
  const [row] = await db
    .select({
      id: t.id,
      number: t.number,
      name: fullName,
      email: t.email,
      phone: t.phone,
      company: t.company,
      message: t.message,
      status: t.status,
      heldReason: t.held_reason,
      version: t.version,
      submittedAt: t.created_at,
      consentAt: t.consent_at,
      consentTermsVersion: t.consent_terms_version,
      estimateJson: t.estimate_json,
      fileId: t.attachment_id,
      fileName: sql<string>`${attachments.name}`.as("file_name"),
      fileSize: attachments.size,
    })
    .from(t)
    .leftJoin(attachments, eq(attachments.id, t.attachment_id))
    .where(eq(t.id, id))
    .limit(1);
  if (!row) return null;
  const { fileId, fileName, fileSize, number, estimateJson, ...details } = row;
  return {
    ...details,
    number: recordNumber("submission", number),
    estimate: readStoredEstimate(estimateJson),
    file: fileId ? { id: fileId, name: fileName ?? "", bytes: fileSize ?? 0 } : null,
  };
}

/** The newest changes of status of a request, at most 50. */
export async function listStatusChanges(db: Db, submissionId: string): Promise<StatusChange[]> {
  const rows = await db
    .select({
      id: submissionEvents.id,
      to: submissionEvents.to_status,
      actor: submissionEvents.actor_name,
      at: submissionEvents.at,
    })
    .from(submissionEvents)
    .where(eq(submissionEvents.submission_id, submissionId))
    .orderBy(desc(submissionEvents.at))
    .limit(50);
  return rows.map((row) => ({ ...row, to: row.to as SubmissionStatus }));
}

/** What a command needs to know before it changes a request. */
export async function findSubmissionName(
  db: Db,
  id: string,
): Promise<{ name: string; status: SubmissionStatus } | null> {
  const [row] = await db.select({ name: fullName, status: t.status }).from(t).where(eq(t.id, id)).limit(1);
  return row ?? null;
}
