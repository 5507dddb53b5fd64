import { asc, eq } from "drizzle-orm";
import { contacts, organizationDomains } from "~/db/schema/organizations";
import { ticketCopies } from "~/db/schema/ticket-work";
import type { Ctx } from "~/platform/context.server";
import { ticketRow } from "./tickets";

type ContactColumns = Partial<typeof contacts.$inferInsert> & { email: string };

/** Stores somebody without an account whom an organization knows; returns their id. */
export async function makeContact(ctx: Ctx, organizationId: string, columns: ContactColumns): Promise<string> {
  const id = columns.id ?? ctx.newId("con");
  const known = { id, organization_id: organizationId, full_name: "Kim West", created_at: 1 };
  await ctx.db.insert(contacts).values({ ...known, ...columns });
  return id;
}

/** Puts an address in cc of a ticket, and the contact who has it if one is given; returns the id of the row. */
export async function makeCc(
  ctx: Ctx,
  ticketId: string,
  email: string,
  columns: Partial<typeof ticketCopies.$inferInsert> = {},
): Promise<string> {
  const id = columns.id ?? ctx.newId("cpy");
  const { organization_id } = await ticketRow(ctx, ticketId);
  await ctx.db
    .insert(ticketCopies)
    .values({ id, organization_id, ticket_id: ticketId, email, added_at: 1, ...columns });
  return id;
}

/** Says that whoever writes from a domain is one of an organization. */
export const addDomain = (ctx: Ctx, organizationId: string, domain: string) =>
  ctx.db.insert(organizationDomains).values({ domain, organization_id: organizationId, created_at: 0 });

export const contactsWith = (ctx: Ctx, email: string): Promise<(typeof contacts.$inferSelect)[]> =>
  ctx.db.select().from(contacts).where(eq(contacts.email, email)).orderBy(asc(contacts.full_name), asc(contacts.id));

/** Lists the addresses in cc of a ticket, those that were taken off too. */
export const ccOf = (ctx: Ctx, ticketId: string): Promise<(typeof ticketCopies.$inferSelect)[]> =>
  ctx.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticketId)).orderBy(asc(ticketCopies.email));
