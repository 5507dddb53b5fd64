import { type SQL, sql } from "drizzle-orm";
import { type Ability, can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { type MemberActor, requireClient, requireMember } from "~/features/auth/guards.server";
import { fold } from "~/lib/text";
import { isShort } from "~/lists/criteria";
import type { Ctx } from "~/platform/context.server";
import { conflictResponse } from "~/platform/form-actions.server";
import { readForm } from "~/platform/read-form.server";
import type { FoundSubject } from "~/platform/subjects.server";
import {
  CHOICES_LIMIT,
  type OrganizationChoices,
  type OrganizationOption,
  otherOrganization,
  RESERVED_SLUGS,
} from "./model";

const MAX_NUMBER = 100_000;

/** Part of the statement that inserts it, so that two organizations created at the same time get two slugs. */
export const freeSlug = (slug: string): SQL<string> => sql`(
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_NUMBER})
  SELECT candidate FROM (SELECT iif(i = 1, ${slug}, ${slug} || '-' || i) AS candidate FROM n)
  WHERE candidate NOT IN (SELECT value FROM json_each(${JSON.stringify(RESERVED_SLUGS)}))
    AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.slug = candidate)
  LIMIT 1)`;

const SEARCH_MAX = 200;

/**
 * By the beginning of the name, then by name, slug or description, and the chosen one. Without a text the first by
 * name.
 */
export async function findOrganizationChoices(
  db: Db,
  { search: text, chosen }: { search: string; chosen: string | null },
): Promise<OrganizationChoices> {
  const search = fold(text).slice(0, SEARCH_MAX);
  if (search === "") return listOrganizationChoices(db, chosen);
  const limit = CHOICES_LIMIT + 1;
  const phrase = `search_text : "${search.replaceAll('"', '""')}"`;
  const [beginning, containing, found] = await Promise.all([
    db.all<OrganizationOption>(sql`SELECT id, name FROM organizations
      WHERE name_key >= ${search} AND name_key < ${search} || char(1114111) ORDER BY name_key, id LIMIT ${limit}`),
    isShort(search)
      ? []
      : db.all<OrganizationOption>(sql`SELECT t.id, t.name FROM organization_search f
          CROSS JOIN organizations t ON t.number = f.rowid
          WHERE f.organization_search MATCH ${phrase} ORDER BY f.rowid DESC LIMIT ${limit}`),
    chosen === null ? [] : db.all<OrganizationOption>(sql`SELECT id, name FROM organizations WHERE id = ${chosen}`),
  ]);
  const matches = [...new Map([...beginning, ...containing].map((one) => [one.id, one])).values()];
  const offered = matches.slice(0, CHOICES_LIMIT);
  const others = found.filter(({ id }) => offered.every((one) => one.id !== id));
  return { choices: [...others, ...offered], isMore: matches.length > CHOICES_LIMIT };
}

export async function listOrganizationChoices(db: Db, chosen: string | null): Promise<OrganizationChoices> {
  const limit = CHOICES_LIMIT + 1;
  const [first, found] = await Promise.all([
    db.all<OrganizationOption>(sql`SELECT id, name FROM organizations ORDER BY name_key, id LIMIT ${limit}`),
    chosen === null ? [] : db.all<OrganizationOption>(sql`SELECT id, name FROM organizations WHERE id = ${chosen}`),
  ]);
  const offered = first.slice(0, CHOICES_LIMIT);
  const others = found.filter(({ id }) => offered.every((one) => one.id !== id));
  return { choices: [...others, ...offered], isMore: first.length > CHOICES_LIMIT };
}

export async function findOrganizationSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string }>(sql`
    SELECT o.id, o.name AS label
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN organizations o ON o.id = requested.value`);
  return rows.map((row) => ({ ...row, reference: null, organizationId: row.id }));
}

export const organizationExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${id})`;

/**
 * Who has switched to an organization in another tab where they may not send it reads so, and keeps what they typed.
 */
export async function requireFormMember(context: Ctx, ability: Ability, request: Request): Promise<MemberActor> {
  const { membership, ...person } = await requireClient(context);
  if (membership && !can({ ...person, membership }, ability, membership)) {
    const { fields } = await readForm(request, { only: ["organization_id"] });
    const conflict = fields.organization_id ? otherOrganization({ membership }, fields) : null;
    if (conflict) throw conflictResponse(conflict);
  }
  return requireMember(context, ability);
}
