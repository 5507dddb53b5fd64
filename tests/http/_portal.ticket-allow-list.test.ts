import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { ticketPeople } from "~/db/schema/tickets";
import { addCc } from "~/features/tickets/cc/actions.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { loader } from "~/routes/_portal.client.tickets.$ticket";
import { clientTeam } from "../support/client-team";
import { derive, type TestContext } from "../support/context";
import { as, makePerson, signedInAs } from "../support/factories";
import { args, get } from "../support/requests";
import { makeTicket } from "../support/tickets";

/** Returns a database that knows one column more in every row: what a table may have some day. */
const withColumn = (db: TestContext["db"]): TestContext["db"] =>
  new Proxy(db, {
    get: (target, name) =>
      name === "all"
        ? async (query: Parameters<typeof db.all>[0]) =>
            (await target.all<object>(query)).map((row) => ({ ...row, margin: "zebracrossing" }))
        : Reflect.get(target, name, target),
  });

test("a column that tickets, messages or anything beside them get some day stays out of what a client's page loads", async () => {
  const { ctx, organization, lead, member, requestOf } = await clientTeam();
  const at = { organizationId: organization.id, createdBy: member };
  const ticket = await makeTicket(ctx, { ...at, title: "Printer offline" });
  const key = { organization_id: organization.id, ticket_id: ticket.id };
  await ctx.db.insert(ticketPeople).values({ ...key, user_id: lead.id, added_at: ctx.now() });
  const technician = await makePerson(ctx, { role: "moderator", fullName: "Jordan Vale" });
  const actor = { ...signedInAs(technician, ctx.now()), role: "moderator" as const, membership: null };
  const editor = { side: "staff", by: { userId: technician.id, fullName: "Jordan Vale", side: "staff" } } as const;
  await addCc(as(ctx, technician), editor, { ticketId: ticket.id, email: "desk@copies.example", nonce: "a" });
  await replyAsStaff(as(ctx, technician), actor, {
    ...{ ticketId: ticket.id, text: "Cable replaced", effect: "resolve", resolution: "Replaced the cable." },
    ...{ baseMessage: 0, nonce: "b" },
  });
  await ctx.db.run(sql`INSERT INTO attachments(id, subject_type, subject_id, r2_key, name, size, kind, sha256, created_at)
    VALUES (${ctx.newId("att")}, 'ticket', ${ticket.id}, ${ticket.id}, 'cable.png', 1, 'png', '', 1)`);
  await ctx.db.run(sql`INSERT INTO ticket_drafts(organization_id, ticket_id, user_id, kind, message, begun_at_message, updated_at)
    VALUES (${organization.id}, ${ticket.id}, ${member.id}, 'reply', 'Thank you', 1, 1)`);
  const request = await requestOf(member);
  const read = async (context: TestContext) => {
    const reference = `T-${ticket.number}`;
    const page = await loader(args(context, get(`/client/tickets/${reference}`), { ticket: reference }));
    const { tokens: _, ...shown } = await page.json();
    return shown;
  };
  const shown = await read(request);
  expect(shown).toMatchObject({
    thread: [{ files: [{ name: "cable.png" }] }, { text: "Cable replaced" }, { text: "Replaced the cable." }],
    draft: { text: "Thank you" },
    people: [{}, { name: "Sam Ortega" }, { name: "desk@copies.example" }],
    colleagues: [{ name: "Dana Whitlock" }],
  });
  expect(await read(derive(request, { db: withColumn(request.db) }))).toEqual(shown);
});
