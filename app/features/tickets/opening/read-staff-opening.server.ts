import { sql } from "drizzle-orm";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { submissionPath } from "~/features/submissions/subject";
import { withParams } from "~/lib/addresses";
import { HELD_WORDS } from "~/lib/held-reason";
import { isId } from "~/lib/ids";
import { newStaffTicketPath } from "../subject";
import type { HeldSource, OpeningSource } from "./model";

/** Limits the people for whom a ticket can be opened from the page. */
const PEOPLE_SHOWN = 200;

/**
 * Reads the organizations and people for whom staff may open a ticket: organizations, those that a search finds, and
 * the active members of the one that the address names. Null people: no organization is chosen yet. Where the address
 * names a submission, the form begins with what it says, unless that is held for review: what may be advertising is
 * mailed to no client.
 */
export async function readStaffOpening(db: Db, actor: StaffActor, params: URLSearchParams) {
  const asked = params.get("organization") ?? "";
  const chosen = isId("org", asked) ? asked : null;
  const search = (params.get("find") ?? "").trim();
  const from = params.get("submission") ?? "";
  const submissionId = isId("sub", from) && can(actor, "submission.view") ? from : null;
  const [{ choices: organizations, isMore }, people, source] = await Promise.all([
    findOrganizationChoices(db, { search, chosen }),
    chosen === null ? null : listMembers(db, { organizationId: chosen, submissionId }),
    submissionId === null ? null : findSource(db, submissionId),
  ]);
  const organization = organizations.find(({ id }) => id === chosen) ?? null;
  const path = newStaffTicketPath(organization?.id ?? null);
  const submission = source && "held" in source ? null : source;
  return {
    organizations,
    isMore,
    search,
    organization,
    people: organization ? people : null,
    submission,
    held: source && "held" in source ? source.held : null,
    path: submission ? withParams(path, { submission: submission.id }) : path,
  };
}

type MembersAsked = { organizationId: string; submissionId: string | null };

/**
 * Lists active members whose account is active by name; the one who sent the submission first, so that a limit never
 * leaves them out.
 */
const listMembers = (
  db: Db,
  { organizationId, submissionId }: MembersAsked,
): Promise<{ id: string; name: string; email: string }[]> =>
  db.all(sql`
    SELECT u.id, u.full_name AS name, u.email FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND m.status = 'active' AND u.status = 'active'
    ORDER BY u.email = (SELECT email FROM contact_submissions WHERE id = ${submissionId} AND held_reason IS NULL) DESC,
      u.full_name
    LIMIT ${PEOPLE_SHOWN}`);

/** Finds the submission that a ticket comes from. Null: there is none. */
async function findSource(db: Db, id: string): Promise<OpeningSource | { held: HeldSource } | null> {
  const submission = await findSubmission(db, id);
  if (!submission) return null;
  const { number, name, email, message, heldReason } = submission;
  const path = submissionPath(id);
  if (heldReason) return { held: { number, path, reason: HELD_WORDS[heldReason] } };
  return { id, number, name, email, message: message ?? "", path };
}
