import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { isId } from "~/lib/ids";

/** Limits the people for whom a ticket can be opened from the page. */
const PEOPLE_SHOWN = 200;

/**
 * Reads for whom staff may open a ticket: organizations, those that a search finds, and the active members of the one
 * that the address names. Null people: no organization is chosen yet.
 */
export async function readStaffOpening(db: Db, params: URLSearchParams) {
  const asked = params.get("organization") ?? "";
  const chosen = isId("org", asked) ? asked : null;
  const search = (params.get("find") ?? "").trim();
  const [{ choices: organizations, isMore }, people] = await Promise.all([
    findOrganizationChoices(db, { search, chosen }),
    chosen === null ? null : listMembers(db, chosen),
  ]);
  const organization = organizations.find(({ id }) => id === chosen) ?? null;
  return { organizations, isMore, search, organization, people: organization ? people : null };
}

const listMembers = (db: Db, organizationId: string): Promise<{ id: string; name: string; email: string }[]> =>
  db.all(sql`
    SELECT u.id, u.full_name AS name, u.email FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND m.status = 'active' ORDER BY u.full_name LIMIT ${PEOPLE_SHOWN}`);
