import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import { sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { inviteMembers } from "~/features/invitations/sending.server";
import { historyLine, readHistory } from "~/features/organization-settings/queries.server";
import { erasePerson, eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { addPerson } from "~/features/tickets/commands.server";
import { ok } from "~/lib/errors";
import { issueFormToken } from "~/platform/form-token.server";
import { action as changeRequester } from "~/routes/_admin.admin.tickets.requester.$ticket";
import { readFeed } from "../../support/activity";
import { makeContact } from "../../support/contacts";
import { as, makeMember, makePerson } from "../../support/factories";
import { args, post } from "../../support/requests";
import { makeTicket, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

async function world() {
  const found = await ticketWorld();
  const { base, here, avery, staff } = found;
  const { ctx, actor } = staff(avery);
  const erase = async (...ids: string[]) => {
    for (const personId of ids) expect(await erasePerson(ctx, actor, { personId, nonce: nonce() })).toEqual(ok(null));
  };
  const eraseRest = async () => {
    await base.settle();
    for (let run = 0; run < 4; run += 1) await eraseRestOfPeople(base);
  };
  const ownersRead = async () =>
    (await readHistory(base.db, { organizationId: here.id, before: null })).rows.map((row) =>
      historyLine(row, "Wrenfield"),
    );
  const staffRead = async (query = "") => (await readFeed(base.db, query)).entries;
  const invite = (...emails: string[]) => {
    const organization = { id: here.id, name: "Larkspur Row" };
    return inviteMembers(ctx, { inviter: actor, organization, role: "member", emails });
  };
  return { ...found, by: staff(found.sam), erase, eraseRest, ownersRead, staffRead, invite };
}

test("who was erased is a former member in the history that owners read, and in the activity, and not found by name", async () => {
  const { base, here, dana, client, by, erase, eraseRest, ownersRead, staffRead } = await world();
  const gone = await makePerson(base, { fullName: "Winifred Oxbridge", email: "winifred@oxbridge.example" });
  await makeMember(base, here.id, gone, "admin");
  const own = await makeTicket(base, { organizationId: here.id, createdBy: gone });
  await client(gone, here, "admin").reply(own.id, "Hello");
  const assigned = await makePerson(base, { role: "moderator", fullName: "Barnaby Oxbridge" });
  await by.assign(own.id, assigned.id);
  const added = { ticketId: own.id, userId: dana.id, nonce: nonce() };
  await addPerson(by.ctx, { side: "staff", by: by.by }, added);
  const membership = {
    subject: { type: "user", id: gone.id, label: gone.fullName },
    ...{ orgId: here.id, meta: { from: "member", to: "admin" } },
  } as const;
  await commit(base.db, [recordAudit(by.ctx, "organization.member_role_changed", membership)]);
  expect(JSON.stringify([await ownersRead(), await staffRead()])).toMatch(/Winifred Oxbridge.*Barnaby Oxbridge/);
  expect(await staffRead("q=oxbridge")).not.toEqual([]);
  await erase(gone.id, assigned.id);
  const whileErased = [await ownersRead(), await staffRead()];
  await eraseRest();
  for (const shown of [whileErased, [await ownersRead(), await staffRead()]]) {
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
  const { base, by, erase, eraseRest, staffRead } = await world();
  const [ann, annette] = [
    await makePerson(base, { role: "moderator", fullName: "Ann", email: "ann@oxbridge.example" }),
    await makePerson(base, { role: "moderator", fullName: "Annette Quill", email: "joann@oxbridge.example" }),
  ];
  const meta = { from: "Ann", to: "Annette Quill", people: { from: ann.id, to: annette.id } };
  const subject = { type: "ticket", id: "tkt_1", label: "T-1" } as const;
  const before = { id: ann.id, role: "moderator", name: "Ann Maidenhead", email: "maiden@oxbridge.example" } as const;
  await commit(base.db, [
    recordAudit(by.ctx, "ticket.assigned", { subject, meta }),
    recordAudit(as(base, ann), "ticket.assigned", { subject, meta, actor: before }),
  ]);
  const found = async (query: string) => (await staffRead(`q=${query}`)).length;
  expect([await found("annette+quill"), await found("maidenhead")]).toEqual([2, 1]);
  await erase(ann.id);
  await eraseRest();
  expect([await found("annette+quill"), await found("maidenhead"), await found("maiden@oxbridge")]).toEqual([2, 0, 0]);
});

test("a contact who is erased is in no event any more, neither by name nor by an address, and the chain still holds", async () => {
  const { base, here, dana, by, erase, eraseRest, ownersRead, staffRead, invite } = await world();
  const email = "philippa@oxbridge.example";
  const known = await makeContact(base, here.id, { email, full_name: "Philippa Oxbridge" });
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  for (const person of [known, dana.id]) {
    const fields = { form_token: issueFormToken(by.ctx, "ticket-requester"), person };
    await changeRequester(args(by.ctx, post("/admin/tickets/requester/T-1", fields), { ticket: `T-${ticket.number}` }));
  }
  await invite(email, "other@larkspur.example");
  const read = async () => [
    ...[await ownersRead(), await staffRead(), await staffRead("q=oxbridge")],
    await base.db.select().from(liveEvents),
  ];
  const before = JSON.stringify(await read());
  expect(before).toMatch(/Dana Ortiz to Philippa Oxbridge/);
  expect(before).toContain("Requester: Philippa Oxbridge");
  expect(before).toContain(email);
  await sealAudit(base);
  await erase(known);
  const whileErased = (await read()).slice(0, 2);
  await eraseRest();
  for (const shown of [whileErased, await read()]) {
    expect(JSON.stringify(shown)).not.toMatch(/oxbridge/i);
    expect(JSON.stringify(shown)).toContain("Dana Ortiz to Former member");
    expect(JSON.stringify(shown)).toContain("other@larkspur.example");
  }
  await verifyAudit(base);
  // Who is invited at the address afterwards is somebody new.
  base.clock.advance(1);
  await invite(email);
  expect(await staffRead("q=oxbridge")).toMatchObject([{ details: expect.stringContaining(email) }]);
});
