import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { actionLabel, detailsText, type StoredActivity } from "~/features/audit/activity/activity-entry";
import { formerPeople } from "~/features/audit/queries.server";
import { FORMER_MEMBER } from "~/lib/text";
import type { HistoryLine, StoredOrganization, WithoutFactor } from "./model";

export async function findOrganizationSettings(db: Db, organizationId: string): Promise<StoredOrganization | null> {
  const row = await db.get<
    (Omit<StoredOrganization, "allowsCopies" | "isNew"> & { allowsCopies: number; isNew: number }) | undefined
  >(sql`
    SELECT name, description, visibility, default_role AS defaultRole, allows_copies AS allowsCopies, version,
      mfa_required_at AS mfaRequiredAt, needs_review_at IS NOT NULL AS isNew
    FROM organizations WHERE id = ${organizationId}`);
  return row ? { ...row, allowsCopies: row.allowsCopies === 1, isNew: row.isNew === 1 } : null;
}

const NAMED = 20;
const MEMBERS_SCANNED = 30;

export async function findWithoutFactor(db: Db, organizationId: string): Promise<WithoutFactor> {
  const [rows, organization] = await Promise.all([
    db.all<{ name: string }>(sql`
      SELECT u.full_name AS name FROM (
        SELECT user_id FROM organization_memberships INDEXED BY members_by_status
        WHERE organization_id = ${organizationId} AND status = 'active' ORDER BY number DESC LIMIT ${MEMBERS_SCANNED}) m
      LEFT JOIN user_mfa_settings f ON f.user_id = m.user_id CROSS JOIN users u ON u.id = m.user_id
      WHERE coalesce(f.is_enabled, 0) = 0 LIMIT ${NAMED}`),
    db.get<{ count: number } | undefined>(
      sql`SELECT members_without_mfa AS count FROM organizations WHERE id = ${organizationId}`,
    ),
  ]);
  return { names: rows.map(({ name }) => name), count: organization?.count ?? 0 };
}

const PAGE = 50;

type StoredHistory = StoredActivity & {
  /** Is 1 if the actor is one of the provider's staff. */
  is_staff: number;
};

/** Its own name, the addresses of networks, and that staff write on a letter that it has not got yet, are left out. */
export async function readHistory(
  db: Db,
  { organizationId, before }: { organizationId: string; before: number | null },
): Promise<{ rows: StoredHistory[]; next: number | null }> {
  const rows = await db.all<StoredHistory>(sql`
    SELECT e.id, e.at, e.action, e.activity_type, e.actor_id, e.actor_name, NULL AS actor_email, e.subject_type,
      e.subject_id, iif(e.subject_type = 'organization', NULL, e.subject_label) AS subject_label,
      json_remove(e.meta_json, '$.organization') AS meta_json, e.actor_role IN ('admin', 'moderator') AS is_staff,
      ${sql.raw(formerPeople("e"))}
    FROM audit_events e INDEXED BY audit_by_organization
    WHERE e.org_id = ${organizationId} AND e.org_id IS NOT NULL AND e.id < ${before ?? Number.MAX_SAFE_INTEGER}
      AND e.action <> 'organization.letter_saved'
    ORDER BY e.id DESC LIMIT ${PAGE + 1}`);
  const shown = rows.slice(0, PAGE);
  return { rows: shown, next: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null };
}

/**
 * Colleagues are named; of the provider's staff members read the first name and the company. Of who was erased,
 * nothing is.
 */
export function historyLine(row: StoredHistory, company: string): HistoryLine {
  const { id, at, actor_name, is_former } = row;
  const [first] = is_former ? [] : (actor_name?.split(" ") ?? []);
  const staff = first ? `${first} (${company})` : company;
  const actor = row.is_staff === 1 ? staff : is_former ? FORMER_MEMBER : (actor_name ?? "A visitor");
  const named = row.is_former_subject ? { ...row, is_former_subject: 0, subject_label: FORMER_MEMBER } : row;
  return { id, at, sentence: `${actor} ${actionLabel(row)}`, details: detailsText(named) };
}
