import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { DEFAULT_SETTINGS, type SiteSettings } from "~/features/settings/settings.server";
import { mailboxOf } from "~/lib/email";
import { fold } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";

export type AccountState = "active" | "suspended" | "colleague";

type ListedContact = {
  id: string;
  name: string;
  email: string;
  phone: string;
  needsReview: boolean;
  otherAddresses: string[];
};

const PROGRAMS = ["mailer-daemon", "postmaster", "no-reply", "noreply", "bounce", "bounces"];

/** Matches the mailboxes of programs, which answer by themselves or must not be mailed. */
export const PROGRAM_MAILBOX = new RegExp(`^(${PROGRAMS.join("|")})@`);

/** Returns the condition that an address is such a mailbox. */
export const isProgramMailbox = (email: SQL): SQL =>
  sql`substr(${email}, 1, instr(${email}, '@') - 1) IN (SELECT value FROM json_each(${JSON.stringify(PROGRAMS)}))`;

const ADMIN_EMAIL = "adminEmail" satisfies keyof SiteSettings;

/** Selects the address that notices for the site go to. */
export const adminEmail: SQL<string> = sql`coalesce((SELECT json_extract(value_json, '$') FROM settings
  WHERE key = ${ADMIN_EMAIL}), ${DEFAULT_SETTINGS.adminEmail})`;

/** Returns the address that we send from, without its name. */
export const senderAddress = ({ MAIL_FROM }: Ctx["config"]): string =>
  /([^<\s]+@[^>\s]+)>?$/.exec(MAIL_FROM)?.[1] ?? "";

/** Tells whether we send from an address or receive at it, as the deployment is configured. */
export function isConfiguredAddress(config: Ctx["config"], email: string): boolean {
  const { MAIL_INBOUND_DOMAIN: inbound } = config;
  return Boolean(inbound && email.endsWith(`@${inbound}`)) || mailboxOf(senderAddress(config)) === mailboxOf(email);
}

/** Tells whether an address is one that we send from or receive at: mail to it would come back to us. */
export async function isOurAddress({ config, db }: Pick<Ctx, "config" | "db">, email: string): Promise<boolean> {
  const [row] = await db.all<{ address: string }>(sql`SELECT ${adminEmail} AS address`);
  return isConfiguredAddress(config, email) || mailboxOf(row?.address ?? "") === mailboxOf(email);
}

const CONTACTS_LISTED = 200;

/** Returns the condition that nobody is erasing them: until that is done, their row stays without name and address. */
export const isNotErased = (contactId: string | SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM person_erasures erasure WHERE erasure.user_id = ${contactId})`;

/** Lists the first contacts of an organization by name, but for refused ones, and says whether there are more. */
export async function listContacts(
  db: Db,
  organizationId: string,
): Promise<{ contacts: ListedContact[]; hasMoreContacts: boolean }> {
  const rows = await db.all<
    Omit<ListedContact, "needsReview" | "otherAddresses"> & { needsReview: number; others: string }
  >(sql`
    SELECT id, full_name AS name, email, phone, needs_review_at IS NOT NULL AS needsReview,
      (SELECT json_group_array(a.email) FROM other_addresses a WHERE a.contact_id = contacts.id) AS others FROM contacts
    WHERE organization_id = ${organizationId} AND refused_at IS NULL
      AND ${isNotErased(sql`contacts.id`)} ORDER BY full_name, id LIMIT ${CONTACTS_LISTED + 1}`);
  const shown = rows.slice(0, CONTACTS_LISTED).map(({ others, needsReview, ...row }) => ({
    ...{ ...row, needsReview: needsReview === 1, otherAddresses: JSON.parse(others) as string[] },
  }));
  return { contacts: shown, hasMoreContacts: rows.length > CONTACTS_LISTED };
}

/** Returns an address as the history keeps it, which stays when the address is erased: "s…@larkspur.example". */
export const shortened = (email: string): string => `${email.slice(0, 1)}…${email.slice(email.lastIndexOf("@"))}`;

export type FoundContact = {
  id: string;
  name: string;
  email: string;
  phone: string;
  organizationId: string;
  organization: string;
};

/** Finds the newest contacts of all organizations whose name or address has a text of three letters or more. */
export const findContacts = (db: Db, text: string, limit: number): Promise<FoundContact[]> =>
  db.all<FoundContact>(sql`
    SELECT c.id, c.full_name AS name, c.email, c.phone, o.id AS organizationId, o.name AS organization
    FROM (SELECT rowid AS number FROM contact_search f
      WHERE f.contact_search MATCH ${`"${fold(text).replaceAll('"', '""')}"`} ORDER BY f.rowid DESC LIMIT ${limit}) found
    CROSS JOIN contacts c ON c.number = found.number AND ${isNotErased(sql`c.id`)}
    CROSS JOIN organizations o ON o.id = c.organization_id
    ORDER BY c.number DESC`);

/**
 * Selects what the account of an address is to an organization: "active" for a member, "suspended" for one who is shut
 * out, "colleague" for one of the staff. NULL: none, so that it can be a contact's.
 */
export const accountStateOf = (organizationId: string, email: string): SQL<AccountState | null> =>
  sql`coalesce((SELECT iif(u.status = 'active' AND m.status = 'active', 'active', 'suspended')
      FROM users u JOIN organization_memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
      WHERE u.email = ${email} AND m.status <> 'pending'),
    (SELECT 'colleague' FROM users WHERE email = ${email} AND is_staff = 1))`;

/** Selects the further addresses of the account and the contacts with an address: by triggers, nobody else's. */
export const otherAddressesOf = (email: string | SQL): SQL => sql`(SELECT a.email FROM other_addresses a
  WHERE a.user_id = (SELECT id FROM users WHERE email = ${email})
    OR a.contact_id IN (SELECT id FROM contacts WHERE email = ${email}))`;

/** Selects all addresses of the account and the contacts with one. */
export const addressesOf = (email: string): SQL =>
  sql`(SELECT ${email} UNION ALL SELECT * FROM ${otherAddressesOf(email)})`;

/** Selects the address by which the sender of a mail is known, whose further one it may have come from. */
export const primaryAddressOf = (email: string | SQL): SQL<string> => sql`coalesce((
  SELECT coalesce(u.email, c.email) FROM other_addresses a
    LEFT JOIN users u ON u.id = a.user_id AND u.status = 'active' AND u.is_staff = 0
    LEFT JOIN contacts c ON c.id = a.contact_id
  WHERE a.email = ${email}), ${email})`;

/** Selects the id of the contact with an address, which one organization has once. */
export const contactIdOf = (organizationId: string, email: string | SQL): SQL<string> =>
  sql<string>`(SELECT id FROM contacts WHERE email = ${email} AND organization_id = ${organizationId})`;
