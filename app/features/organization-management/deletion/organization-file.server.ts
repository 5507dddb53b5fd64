import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import { actionLabel, actorNameOf, detailsText, type StoredActivity } from "~/features/audit/activity/activity-entry";
import { ACTIVITY_COLUMNS } from "~/features/audit/activity/definition.server";
import { PLAN_LABELS } from "~/features/organizations/model";
import type { CsvCell } from "~/lib/csv";
import type { Instant } from "~/lib/time";
import type { ListExport } from "~/lists/define-rows.server";
import { formatInstant } from "~/ui/time";
import { MEMBER_ROLE_LABELS, MEMBER_STATUS_LABELS } from "../copy";
import { findRecord } from "../record/queries.server";

/*
 * The file with everything that goes when an organization is deleted, and with its history, which then loses the
 * names. Submissions stay: they belong to nobody's organization.
 */

/** Limits how many rows are read at a time. */
const CHUNK = 500;

type Line = { part: string; at: Instant | null; name: string; email?: string; details?: string; text?: string };

/** Reads the rows of a part in chunks, in the order of a growing key. */
async function* inChunks<Row>(read: (after: Row | null) => Promise<Row[]>, lineOf: (row: Row) => Line) {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last);
    if (rows.length > 0) yield rows.map(lineOf);
    if (rows.length < CHUNK) return;
    last = rows.at(-1) ?? null;
  }
}

type MemberRow = {
  number: number;
  name: string | null;
  email: string;
  role: OrganizationRole;
  status: keyof typeof MEMBER_STATUS_LABELS;
  at: Instant;
};

const members = (db: Db, id: string) =>
  inChunks<MemberRow>(
    (after) =>
      db.all(sql`
        SELECT m.number, u.full_name AS name, coalesce(u.email, m.invited_email) AS email, m.role, m.status,
          coalesce(m.joined_at, m.created_at) AS at
        FROM organization_memberships m INDEXED BY members_in_order LEFT JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${id} AND m.number > ${after?.number ?? -1} ORDER BY m.number LIMIT ${CHUNK}`),
    ({ name, email, role, status, at }) => ({
      part: "Member",
      at,
      name: name ?? "",
      email,
      details: `${MEMBER_ROLE_LABELS[role]}, ${MEMBER_STATUS_LABELS[status]}`,
    }),
  );

type NoteRow = { id: string; at: Instant; name: string; note: string };

const notes = (db: Db, id: string) =>
  inChunks<NoteRow>(
    (after) =>
      db.all(sql`
        SELECT id, created_at AS at, author_name AS name, note FROM admin_notes INDEXED BY notes_by_subject
        WHERE subject_type = 'organization' AND subject_id = ${id}
          AND (created_at, id) > (${after?.at ?? -1}, ${after?.id ?? ""}) ORDER BY created_at, id LIMIT ${CHUNK}`),
    ({ at, name, note }) => ({ part: "Internal note", at, name, text: note }),
  );

const history = (db: Db, id: string) =>
  inChunks<StoredActivity>(
    (after) =>
      db.all(sql`
        SELECT ${sql.raw(ACTIVITY_COLUMNS)}
        FROM audit_events t INDEXED BY audit_by_organization
        WHERE org_id = ${id} AND id > ${after?.id ?? -1} ORDER BY id LIMIT ${CHUNK}`),
    (row) => ({
      part: "History",
      at: row.at,
      name: actorNameOf(row) ?? "A visitor",
      email: (row.is_former ? null : row.actor_email) ?? "",
      details: [actionLabel(row), detailsText(row)].filter(Boolean).join(": "),
    }),
  );

async function* linesOf(db: Db, id: string): AsyncGenerator<Line[]> {
  const organization = await findRecord(db, id);
  if (!organization) return;
  const { name, slug, plan, visibility, mfaRequiredAt, description, createdAt, domains } = organization;
  const rules = [
    `/${slug}`,
    PLAN_LABELS[plan],
    visibility === "all" ? "Members see all tickets" : "Members see only their own tickets",
    mfaRequiredAt === null ? null : "Two-step sign-in is required",
  ];
  const details = rules.filter(Boolean).join(", ");
  yield [
    { part: "Organization", at: createdAt, name, details, text: description },
    ...domains.map((domain) => ({ part: "Email domain", at: null, name: domain })),
  ];
  yield* members(db, id);
  yield* notes(db, id);
  yield* history(db, id);
}

const HEADER = ["Part", "Time (UTC)", "Time (site time)", "Name", "Email", "Details", "Text"];

const cellsOf = ({ part, at, name, email = "", details = "", text = "" }: Line, zone: string): CsvCell[] => [
  part,
  at === null ? null : new Date(at).toISOString(),
  at === null ? null : formatInstant(at, zone, "datetime"),
  name,
  email,
  details,
  text,
];

/** Names the parameter of the address that says which organization. */
const ORGANIZATION_PARAM = "organization";

/** Returns which organization an address asks for. */
export const organizationOfFile = (params: URLSearchParams): string => params.get(ORGANIZATION_PARAM) ?? "";

/** Tells whether there is an organization of that id. */
export async function hasOrganization(db: Db, id: string): Promise<boolean> {
  const found: SQL = sql`SELECT 1 FROM organizations WHERE id = ${id}`;
  return (await db.all(found)).length > 0;
}

/** Holds the file, as lists describe theirs. */
export const organizationFile: ListExport = {
  header: HEADER,
  lines: async function* (db, { params, viewer: { zone } }) {
    for await (const lines of linesOf(db, organizationOfFile(params))) yield lines.map((line) => cellsOf(line, zone));
  },
};
