import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { organizations } from "~/db/schema/organizations";
import { ticketMessages, ticketPeople } from "~/db/schema/tickets";
import { attachFile } from "~/features/attachments/store-attachment.server";
import { loader as staffFile } from "~/routes/_admin.admin.attachments.$attachmentId";
import { loader } from "~/routes/_portal.client.attachments.$attachmentId";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { as, makePerson, type Person } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { makeTicket } from "../support/tickets";

let team: ClientTeam;
beforeEach(async () => {
  team = await clientTeam();
});

type Placed = { messageId?: string | null; kind?: "pdf" | "docx" | "png"; isPrivate?: boolean };

/** Stores a file of a ticket that the owner has opened; of a note, if it says so. */
async function place({ messageId = null, kind = "pdf", isPrivate = false }: Placed = {}) {
  const { ctx, organization, owner } = team;
  const ticket = await makeTicket(ctx, { organizationId: organization.id, createdBy: owner, isPrivate });
  if (messageId) {
    await ctx.db.insert(ticketMessages).values({
      id: messageId,
      organization_id: organization.id,
      ticket_id: ticket.id,
      author_name: "Jordan Vale",
      side: "staff",
      is_internal: messageId.includes("note"),
      message: "See the file.",
      created_at: ctx.now(),
      updated_at: ctx.now(),
    });
  }
  const bytes = new TextEncoder().encode("content");
  const stored = await storeFile(ctx, { name: `plan.${kind}`, kind, bytes });
  const file = attachFile(ctx, stored, { subject: { type: "ticket", id: ticket.id }, messageId });
  await commit(ctx.db, [file.statement]);
  return { id: file.id, ticketId: ticket.id };
}

const open = async (person: Person, id: string, query = "") =>
  loader(args(await team.requestOf(person), get(`/client/attachments/${id}${query}`), { attachmentId: id }));

const missing = async (person: Person, id: string) => {
  const { status, body } = await thrownBy(open(person, id));
  return { status, body };
};
const MISSING = { status: 404, body: null };

test.each([
  "pdf",
  "docx",
] as const)("a colleague gets the %s of a shared ticket as a download that no browser shows, and it is recorded", async (kind) => {
  const { id, ticketId } = await place({ kind });
  const response = await open(team.member, id);
  expect(await response.text()).toBe("content");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="plan.${kind}"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "private, no-store",
  });
  expect(await team.ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, ticketId))).toMatchObject([
    { action: "ticket.file_downloaded" },
  ]);
});

test("the file of an internal note is missing for every client, and there for staff", async () => {
  const { id } = await place({ messageId: "msg_note" });
  for (const person of [team.owner, team.lead, team.member, team.stranger]) {
    expect(await missing(person, id)).toEqual(MISSING);
  }
  const staff = await makePerson(team.ctx, { role: "moderator" });
  const ctx = as(team.ctx, staff);
  expect(await (await staffFile(args(ctx, get(`/admin/attachments/${id}`), { attachmentId: id }))).text()).toBe(
    "content",
  );
});

test("files of another organization, of a private ticket and of one's colleagues, where these are kept apart, are missing", async () => {
  const shared = await place();
  const kept = await place({ isPrivate: true });
  expect(await missing(team.stranger, shared.id)).toEqual(MISSING);
  expect(await missing(team.stranger, "att_missing")).toEqual(MISSING);
  expect(await missing(team.member, kept.id)).toEqual(MISSING);
  await team.ctx.db.update(organizations).set({ visibility: "own" });
  expect(await missing(team.member, shared.id)).toEqual(MISSING);
  await team.ctx.db.insert(ticketPeople).values({
    organization_id: team.organization.id,
    ticket_id: shared.ticketId,
    user_id: team.member.id,
    added_at: team.ctx.now(),
  });
  expect((await open(team.member, shared.id)).status).toBe(200);
});

test("a file whose message is gone is missing, because nobody knows who might read it", async () => {
  const { id } = await place({ messageId: "msg_reply" });
  expect((await open(team.member, id)).status).toBe(200);
  await team.ctx.db.run(sql`DELETE FROM ticket_messages WHERE id = 'msg_reply'`);
  expect(await missing(team.member, id)).toEqual(MISSING);
});

test("an image is shown inside the page by its own type, still without rights, and nothing else is", async () => {
  const image = await place({ kind: "png" });
  const response = await open(team.member, image.id, "?inline");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": 'inline; filename="plan.png"',
    "content-security-policy": "sandbox; default-src 'none'",
  });
  for (const kind of ["pdf", "docx"] as const) {
    const document = await place({ kind });
    expect(await thrownBy(open(team.member, document.id, "?inline"))).toHaveProperty("status", 404);
  }
});
