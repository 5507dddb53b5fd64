import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import { contacts } from "~/db/schema/organizations";
import { sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { inviteMembers } from "~/features/invitations/sending.server";
import { historyLine, readHistory } from "~/features/organization-settings/queries.server";
import { erasePerson, eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { findPeople } from "~/features/privacy/queries.server";
import { addPerson, assignTicket } from "~/features/tickets/commands.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { ok } from "~/lib/errors";
import { issueFormToken } from "~/platform/form-token.server";
import { action as changeRequester } from "~/routes/_admin.admin.tickets.requester.$ticket";
import { readFeed } from "../../support/activity";
import { as, makeMember, makePerson, memberOf } from "../../support/factories";
import { args, post } from "../../support/requests";
import { makeTicket, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

test("who was erased is a former member in the history that owners read, and in the activity, and not found by name", async () => {
  const { base, here, avery, sam, dana, staff } = await ticketWorld();
  const gone = await makePerson(base, { fullName: "Winifred Oxbridge", email: "winifred@oxbridge.example" });
  await makeMember(base, here.id, gone, "admin");
  const own = await makeTicket(base, { organizationId: here.id, createdBy: gone });
  const { ctx, actor } = { ctx: as(base, gone), actor: memberOf(base, gone, here, "admin") };
  await replyAsClient(ctx, actor, { ticketId: own.id, text: "Hello", nonce: nonce() });
  const assigned = await makePerson(base, { role: "moderator", fullName: "Barnaby Oxbridge" });
  await assignTicket(
    staff(sam).ctx,
    { ...staff(sam).actor, side: "staff" },
    {
      ...{ ticketId: own.id, assigneeId: assigned.id, nonce: nonce() },
    },
  );
  await addPerson(
    staff(sam).ctx,
    { side: "staff", by: { ...staff(sam).actor, side: "staff" } },
    {
      ...{ ticketId: own.id, userId: dana.id, nonce: nonce() },
    },
  );
  const membership = {
    subject: { type: "user", id: gone.id, label: gone.fullName },
    ...{ orgId: here.id, meta: { from: "member", to: "admin" } },
  } as const;
  await commit(base.db, [recordAudit(staff(sam).ctx, "organization.member_role_changed", membership)]);
  const ownerReads = async () =>
    (await readHistory(base.db, { organizationId: here.id, before: null })).rows.map((row) =>
      historyLine(row, "Wrenfield"),
    );
  const staffRead = async (query: string) => (await readFeed(base.db, query)).entries;
  expect(JSON.stringify([await ownerReads(), await staffRead("")])).toMatch(/Winifred Oxbridge.*Barnaby Oxbridge/);
  expect(await staffRead("q=oxbridge")).not.toEqual([]);
  for (const person of [gone, assigned])
    expect(await erasePerson(staff(avery).ctx, staff(avery).actor, { personId: person.id, nonce: nonce() })).toEqual(
      ok(null),
    );
  const whileErased = [await ownerReads(), await staffRead("")];
  for (let run = 0; run < 4; run += 1) await eraseRestOfPeople(base);
  for (const shown of [whileErased, [await ownerReads(), await staffRead("")]]) {
    expect(JSON.stringify(shown)).not.toMatch(/oxbridge/i);
    expect(JSON.stringify(shown[0])).toContain("Former member replied on a ticket");
    expect(JSON.stringify(shown[0])).toMatch(/changed the role of a member[^}]*Former member: member to admin/);
    expect(JSON.stringify(shown[1])).toContain(`Former member (${gone.id}): member to admin`);
    expect(JSON.stringify(shown[0])).not.toContain(gone.id);
    expect(JSON.stringify(shown[1])).toContain(`Former member (${gone.id}) replied on a ticket`);
    expect(JSON.stringify(shown[1])).toContain("Unassigned → Former member");
  }
  expect(await staffRead("q=oxbridge")).toEqual([]);
  await base.db.run(sql`DELETE FROM counters WHERE name LIKE 'audit.wording%'`);
  while ((await rewordAudit(base)).more);
  expect(await staffRead("q=oxbridge")).toEqual([]);
});

test("a name within that of another is not taken for it, and what is erased was also called otherwise before", async () => {
  const { base, avery, sam, staff } = await ticketWorld();
  const [ann, annette] = [
    await makePerson(base, { role: "moderator", fullName: "Ann", email: "ann@oxbridge.example" }),
    await makePerson(base, { role: "moderator", fullName: "Annette Quill", email: "joann@oxbridge.example" }),
  ];
  const meta = { from: "Ann", to: "Annette Quill", people: { from: ann.id, to: annette.id } };
  const before = { id: ann.id, role: "moderator", name: "Ann Maidenhead", email: "maiden@oxbridge.example" } as const;
  await commit(base.db, [
    recordAudit(staff(sam).ctx, "ticket.assigned", { subject: { type: "ticket", id: "tkt_1", label: "T-1" }, meta }),
    recordAudit(as(base, ann), "ticket.assigned", {
      ...{ subject: { type: "ticket", id: "tkt_1", label: "T-1" }, meta, actor: before },
    }),
  ]);
  const found = async (query: string) => (await readFeed(base.db, `q=${query}`)).entries.length;
  expect([await found("annette+quill"), await found("maidenhead")]).toEqual([2, 1]);
  const { ctx, actor } = staff(avery);
  expect(await erasePerson(ctx, actor, { personId: ann.id, nonce: nonce() })).toEqual(ok(null));
  for (let run = 0; run < 4; run += 1) await eraseRestOfPeople(base);
  expect([await found("annette+quill"), await found("maidenhead"), await found("maiden@oxbridge")]).toEqual([2, 0, 0]);
});

test("a contact who is erased is in no event any more, neither by name nor by an address, and the chain still holds", async () => {
  const { base, here, avery, sam, dana, staff } = await ticketWorld();
  const [name, email] = ["Philippa Oxbridge", "philippa@oxbridge.example"];
  await base.db
    .insert(contacts)
    .values({ id: base.newId("con"), organization_id: here.id, email, full_name: name, created_at: 0 });
  const [known] = await findPeople(base.db, email);
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx } = staff(sam);
  for (const person of [known?.id ?? "", dana.id]) {
    const fields = { form_token: issueFormToken(ctx, "ticket-requester"), person };
    await changeRequester(args(ctx, post("/admin/tickets/requester/T-1", fields), { ticket: `T-${ticket.number}` }));
  }
  const admin = staff(avery);
  await inviteMembers(admin.ctx, {
    ...{ inviter: admin.actor, organization: { id: here.id, name: "Larkspur Row" }, role: "member" },
    emails: [email, "other@larkspur.example"],
  });
  const read = async () => [
    (await readHistory(base.db, { organizationId: here.id, before: null })).rows.map((row) =>
      historyLine(row, "Wrenfield"),
    ),
    (await readFeed(base.db)).entries,
    (await readFeed(base.db, "q=oxbridge")).entries,
    await base.db.select().from(liveEvents),
  ];
  const before = JSON.stringify(await read());
  expect(before).toMatch(/Dana Ortiz to Philippa Oxbridge/);
  expect(before).toContain("Requester: Philippa Oxbridge");
  expect(before).toContain(email);
  await sealAudit(base);
  expect(await erasePerson(admin.ctx, admin.actor, { personId: known?.id ?? "", nonce: nonce() })).toEqual(ok(null));
  const whileErased = (await read()).slice(0, 2);
  await base.settle();
  for (let run = 0; run < 4; run += 1) await eraseRestOfPeople(base);
  for (const shown of [whileErased, await read()]) {
    expect(JSON.stringify(shown)).not.toMatch(/oxbridge/i);
    expect(JSON.stringify(shown)).toContain("Dana Ortiz to Former member");
    expect(JSON.stringify(shown)).toContain("other@larkspur.example");
  }
  await verifyAudit(base);
  // Who is invited at the address afterwards is somebody new.
  base.clock.advance(1);
  await inviteMembers(admin.ctx, {
    ...{ inviter: admin.actor, organization: { id: here.id, name: "Larkspur Row" }, role: "member", emails: [email] },
  });
  expect((await readFeed(base.db, "q=oxbridge")).entries).toMatchObject([{ details: expect.stringContaining(email) }]);
});
