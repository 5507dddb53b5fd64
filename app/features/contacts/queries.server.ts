import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { DEFAULT_SETTINGS, type SiteSettings } from "~/features/settings/settings.server";
import { mailboxOf } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";

type Contact = { id: string; name: string; email: string; phone: string };

/** Matches the mailboxes of programs, which answer by themselves or must not be mailed. */
export const PROGRAM_MAILBOX = /^(mailer-daemon|postmaster|no-?reply|bounces?)@/;

const ADMIN_EMAIL = "adminEmail" satisfies keyof SiteSettings;

/** Tells whether an address is one that we send from or receive at: mail to it would come back to us. */
export async function isOurAddress({ config, db }: Pick<Ctx, "config" | "db">, email: string): Promise<boolean> {
  const [{ adminEmail } = { adminEmail: "" }] = await db.all<{ adminEmail: string }>(
    sql`SELECT coalesce((SELECT json_extract(value_json, '$') FROM settings WHERE key = ${ADMIN_EMAIL}),
      ${DEFAULT_SETTINGS.adminEmail}) AS adminEmail`,
  );
  const sender = /([^<\s]+@[^>\s]+)>?$/.exec(config.MAIL_FROM)?.[1] ?? "";
  const inbound = config.MAIL_INBOUND_DOMAIN;
  const isInbound = inbound !== null && inbound !== undefined && email.endsWith(`@${inbound}`);
  return isInbound || [adminEmail, sender].some((own) => mailboxOf(own) === mailboxOf(email));
}

const CONTACTS_LISTED = 200;

/** Returns the condition that nobody is erasing them: until that is done, their row stays without name and address. */
export const isNotErased = (contactId: string | SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM person_erasures erasure WHERE erasure.user_id = ${contactId})`;

export const listContacts = (db: Db, organizationId: string): Promise<Contact[]> =>
  db.all(sql`SELECT id, full_name AS name, email, phone FROM contacts WHERE organization_id = ${organizationId}
    AND ${isNotErased(sql`contacts.id`)} ORDER BY full_name, id LIMIT ${CONTACTS_LISTED}`);

/** Selects the id of the contact with an address, which one organization has once. */
export const contactIdOf = (organizationId: string, email: string | SQL): SQL<string> =>
  sql<string>`(SELECT id FROM contacts WHERE email = ${email} AND organization_id = ${organizationId})`;
