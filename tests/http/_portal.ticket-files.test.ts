import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { organizations } from "~/db/schema/organizations";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketDrafts, ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import { attachFile } from "~/features/attachments/store-attachment.server";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import type { ClientTicketResult } from "~/features/tickets/client-record/read-client-ticket.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { days, hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { RATE_LIMITS } from "~/platform/rate-limits.server";
import { loader as staffFile } from "~/routes/_admin.admin.attachments.$attachmentId";
import { loader as download } from "~/routes/_portal.client.attachments.$attachmentId";
import { loader as exported } from "~/routes/_portal.client.exports.$file";
import { action, loader, action as ticketAction } from "~/routes/_portal.client.tickets.$ticket";
import { action as newTicketAction } from "~/routes/_portal.client.tickets.new";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { bindings, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makePerson, type Person, signedInAs } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { makeTicket, textsOf } from "../support/tickets";

describe("files of a ticket", () => {
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
    download(args(await team.requestOf(person), get(`/client/attachments/${id}${query}`), { attachmentId: id }));

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
});

describe("drafts of clients", () => {
  let team: ClientTeam;

  let ticket: { id: string; number: number };

  let path: string;

  beforeEach(async () => {
    team = await clientTeam();
    ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
    path = `/client/tickets/T-${ticket.number}`;
  });

  const params = () => ({ ticket: `T-${ticket.number}` });

  const read = async (person: Person) => (await loader(args(await team.requestOf(person), get(path), params()))).json();

  async function send(person: Person, intent: string, fields: Record<string, string>, on?: TestContext) {
    const ctx = on ?? (await team.requestOf(person));
    const token = fields.form_token ?? issueFormToken(ctx, REPLY_PURPOSE);
    const organization_id = ctx.signedIn?.membership?.organizationId ?? "";
    return action(args(ctx, post(path, { ...fields, intent, organization_id, form_token: token }), params()));
  }

  async function staffReplies(text: string) {
    const sam = await makePerson(team.ctx, { role: "moderator", fullName: "Sam Lee" });
    const actor = { ...signedInAs(sam, team.ctx.now()), role: "moderator" as const, membership: null };
    const nonce = crypto.randomUUID();
    await replyAsStaff(as(team.ctx, sam), actor, { ticketId: ticket.id, text, effect: "send", baseMessage: 0, nonce });
  }

  test("what a client has begun is kept for them alone, and gone when it was sent or thrown away", async () => {
    await send(team.owner, "draft", { body: "It still bli", begun_at_message: "0" });
    expect((await read(team.owner)).draft).toMatchObject({ text: "It still bli", baseMessage: 0 });
    expect((await read(team.member)).draft).toBeNull();
    const ctx = await team.requestOf(team.owner);
    await send(team.owner, "discard", {}, ctx);
    expect((await read(team.owner)).draft).toBeNull();
    expect(flash(ctx)).toBe("Draft deleted: Nothing of it is kept.");
    await send(team.owner, "draft", { body: "It still blinks" });
    await send(team.owner, "reply", { body: "It still blinks.", begun_at_message: "0" });
    expect((await read(team.owner)).draft).toBeNull();
    expect(await textsOf(team.ctx, ticket.id)).toEqual(["It still blinks."]);
  });

  test("a text that a script keeps after it was sent is no draft", async () => {
    const ctx = await team.requestOf(team.owner);
    const form = { form_token: issueFormToken(ctx, REPLY_PURPOSE), body: "It blinks", begun_at_message: "0" };
    const kept = await send(team.owner, "autosave", form, ctx);
    expect([kept.status, kept.headers.get("Set-Cookie")]).toEqual([303, null]);
    expect((await read(team.owner)).draft?.text).toBe("It blinks");
    await send(team.owner, "reply", form, ctx);
    await send(team.owner, "autosave", form, ctx);
    expect(await team.ctx.db.select().from(ticketDrafts)).toEqual([]);
  });

  test("nobody keeps a draft on a ticket that they may not see", async () => {
    const { status } = await thrownBy(send(team.stranger, "draft", { body: "Mine" }));
    expect(status).toBe(404);
    expect(await team.ctx.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id))).toEqual([]);
  });

  test("a reply that support has overtaken comes back with both texts, and is sent when that was read", async () => {
    await staffReplies("Replaced the cable.");
    const answered = await send(team.owner, "reply", { body: "It still blinks.", begun_at_message: "0" });
    const result = (await answered.json()) as ClientTicketResult;
    expect([answered.status, result.title]).toEqual([409, "This ticket changed while you were working"]);
    expect(result).toMatchObject({
      values: { body: "It still blinks." },
      conflict: { words: "Sam replied while you were writing.", upTo: 1, messages: [{ text: "Replaced the cable." }] },
    });
    expect(await textsOf(team.ctx, ticket.id)).toEqual(["Replaced the cable."]);
    expect((await read(team.owner)).draft).toMatchObject({ text: "It still blinks.", baseMessage: 0 });
    const again = await send(team.owner, "reply", { body: "It still blinks.", begun_at_message: "1" });
    expect([again.status, (await read(team.owner)).draft]).toEqual([303, null]);
  });

  test("a message with a password is asked about once, and sent if its author wants that", async () => {
    const body = "The password is Blue-42horse";
    const asked = await send(team.owner, "reply", { body, begun_at_message: "0" });
    const { errors, values } = (await asked.json()) as ClientTicketResult;
    expect([asked.status, errors.body, values.body]).toEqual([400, expect.stringContaining("password"), body]);
    expect(await team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id))).toEqual([]);
    expect((await send(team.owner, "reply", { ...values, begun_at_message: "0" })).status).toBe(303);
  });

  test("the file of a member has the tickets that they see on the page, and no others", async () => {
    const mine = { organizationId: team.organization.id, createdBy: team.owner } as const;
    await makeTicket(team.ctx, { ...mine, title: "Payroll", isPrivate: true });
    await makeTicket(team.ctx, { organizationId: team.other.id, createdBy: team.stranger, title: "Foreign" });
    const file = async (person: Person) => {
      const address = get("/client/exports/tickets.csv?q=&status=open");
      return (await exported(args(await team.requestOf(person), address, { file: "tickets.csv" }))).text();
    };
    const ofMember = await file(team.member);
    expect(ofMember).toContain("Printer offline");
    expect(ofMember).not.toMatch(/Payroll|Foreign/);
    expect(await file(team.owner)).toContain("Payroll");
    const events = await team.ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "ticket.exported"));
    expect(events).toHaveLength(2);
  });
});

describe("limits of clients", () => {
  let team: ClientTeam;

  let ticket: { id: string; number: number };

  beforeEach(async () => {
    team = await clientTeam();
    ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  });

  function reply(ctx: TestContext, text: string, files: File[] = []) {
    const body = new FormData();
    body.append("form_token", issueFormToken(ctx, REPLY_PURPOSE));
    body.append("organization_id", team.organization.id);
    body.append("intent", "reply");
    body.append("body", text);
    for (const file of files) body.append("files", file);
    const ref = `T-${ticket.number}`;
    const request = new Request(`http://localhost:8787/client/tickets/${ref}`, { method: "POST", body });
    return ticketAction(args(ctx, request, { ticket: ref }));
  }

  const messages = () =>
    team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id)).orderBy(sql`rowid`);

  test("a reply to a ticket that changes all the time is sent back with its text, to be sent again soon", async () => {
    const ctx = await team.requestOf(team.member);
    const batch: typeof ctx.db.batch = async (statements) => {
      await team.ctx.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticket.id}`);
      return ctx.db.batch(statements);
    };
    const files = (await bindings.FILES.list()).objects.length;
    const response = await reply({ ...ctx, db: { ...ctx.db, batch } }, "Still broken.", [new File([pdf()], "a.pdf")]);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
    expect(await response.json()).toMatchObject({
      errors: { form: expect.stringContaining("Please send it again.") },
      values: { body: "Still broken." },
    });
    await ctx.settle();
    expect([await messages(), (await bindings.FILES.list()).objects.length]).toEqual([[], files]);
  });

  function open(ctx: TestContext, title: string) {
    const body = new FormData();
    const fields = { organization_id: team.organization.id, title, description: "No dial tone.", priority: "medium" };
    body.append("form_token", issueFormToken(ctx, NEW_TICKET_PURPOSE));
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return newTicketAction(
      args(ctx, new Request("http://localhost:8787/client/tickets/new", { method: "POST", body })),
    );
  }

  const opened = () => team.ctx.db.select().from(tickets).where(eq(tickets.organization_id, team.organization.id));

  const review = (at: number | null) =>
    team.ctx.db.update(organizations).set({ needs_review_at: at }).where(eq(organizations.id, team.organization.id));

  test("of a hundred tickets that a person opens at once thirty are, and their colleague is not in the way", async () => {
    const [ctx, colleague] = [await team.requestOf(team.member), await team.requestOf(team.owner)];
    const before = (await opened()).length;
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => open(ctx, `Fax ${index} is dead`)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.length - refused.length, (await opened()).length - before]).toEqual([30, 30]);
    expect(answers.every(({ status }) => status === 303 || status === 429)).toBe(true);
    expect(refused[0]?.headers.get("Retry-After")).toBe("3600");
    expect(await refused[0]?.json()).toMatchObject({
      errors: {
        form: "You have opened many tickets in a short time. Try again in 60 minutes, or call us if it can't wait that long.",
      },
      values: { description: "No dial tone." },
    });
    expect((await open(colleague, "Printer")).headers.get("Location")).toMatch(/T-\d+$/);
    team.ctx.clock.advance(hours(1));
    expect((await open(await team.requestOf(team.member), "Later")).headers.get("Location")).toMatch(/T-\d+$/);
  });

  test("the clients of an organization that nobody has reviewed open ten tickets a day together", async () => {
    await review(team.ctx.now());
    for (let count = 0; count < 10; count += 1)
      await open(await team.requestOf(count % 2 ? team.member : team.owner), `Fax ${count}`);
    const refused = await open(await team.requestOf(team.owner), "One more");
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      {
        errors: {
          form: "Your organization is new here: it can open 10 tickets a day until we have reviewed it. Try again in 9 hours, or call us if it can't wait that long.",
        },
        values: { title: "One more" },
      },
    ]);
    await review(null);
    expect((await open(await team.requestOf(team.owner), "One more")).headers.get("Location")).toMatch(/T-\d+$/);
  });

  test.each([
    ["ticket_org", null, "Your organization has opened many tickets in a short time."],
    ["change_org", null, "Your organization has changed tickets very often in a short time."],
    [
      "change_new_org",
      1,
      "Your organization is new here: it can write or change something on tickets 40 times a day until",
    ],
  ] as const)("what all people of an organization do together is limited too: %s", async (type, needsReviewAt, words) => {
    await review(needsReviewAt);
    const { limit: attempts, resetAfter } = RATE_LIMITS[type];
    const now = team.ctx.now();
    const identifier = `${team.organization.id}:${Math.floor(now / resetAfter)}`;
    const counted = { attempt_type: type, identifier, attempts: attempts - 1, last_attempt_at: now };
    await team.ctx.db.insert(rateLimitAttempts).values({ ...counted, blocked_until: null });
    const act = async (person: ClientTeam["owner"]) => {
      const ctx = await team.requestOf(person);
      return type === "ticket_org" ? open(ctx, "Fax") : reply(ctx, "Still broken.");
    };
    expect((await act(team.member)).status).toBe(303);
    const refused = await act(team.owner);
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { errors: { form: expect.stringContaining(words) } },
    ]);
  });

  test("a person who replies sixty times in an hour waits, with the text in the form", async () => {
    const ctx = await team.requestOf(team.member);
    for (let count = 0; count < 60; count += 1) expect((await reply(ctx, `Reply ${count}`)).status).toBe(303);
    const refused = await reply(ctx, "One more");
    expect([refused.status, await refused.json(), (await messages()).length]).toMatchObject([
      429,
      {
        errors: { form: expect.stringMatching(/^You have changed tickets very often .* Try again in 60 minutes/) },
        values: { body: "One more" },
      },
      60,
    ]);
  });

  test("the tickets that replies to ended ones become are counted as new ones", async () => {
    const ctx = await team.requestOf(team.member);
    await team.ctx.db
      .update(tickets)
      .set({ status: "closed", closed_at: team.ctx.now() - days(30), resolved_at: team.ctx.now() - days(30) })
      .where(eq(tickets.id, ticket.id));
    const answers: Response[] = [];
    for (let count = 0; count < 31; count += 1) answers.push(await reply(ctx, `Again ${count}`));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 303), 429]);
  });
});
