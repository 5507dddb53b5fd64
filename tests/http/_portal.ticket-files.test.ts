import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { organizations } from "~/db/schema/organizations";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { settings } from "~/db/schema/site";
import { ticketCounts, ticketDrafts, ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import { attachFile } from "~/features/attachments/store-attachment.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import type { ClientTicketResult } from "~/features/tickets/client-record/read-client-ticket.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { undoReply } from "~/features/tickets/undo-reply.server";
import { days, hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { type LimitType, RATE_LIMITS } from "~/platform/rate-limits.server";
import { loader as staffFile } from "~/routes/_admin.admin.attachments.$attachmentId";
import { loader as staffPage } from "~/routes/_admin.admin.tickets.$ticket";
import { loader as download } from "~/routes/_portal.client.attachments.$attachmentId";
import { loader as exported } from "~/routes/_portal.client.exports.$file";
import { loader as newTicketPage } from "~/routes/_portal.client.tickets.new";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { openClientTicket, refOf, sendClientTicket, sendNewTicket } from "../support/client-tickets";
import { bindings, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makePerson, type Person, signedInAs } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { sendStaffTicket } from "../support/ticket-forms";
import { makeMessage, makeTicket, textsOf } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };

beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

const filesInStore = async () => (await bindings.FILES.list()).objects.length;
const messages = () => team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));

/** Says since when the organization waits for a review, or that it was reviewed. */
const review = (needs_review_at: number | null) =>
  team.ctx.db.update(organizations).set({ needs_review_at }).where(eq(organizations.id, team.organization.id));

/** Says how much a person, or an organization, has done of something in the period that is counted now. */
async function haveDone(type: LimitType, who: string, attempts: number) {
  const now = team.ctx.now();
  const identifier = `${who}:${Math.floor(now / RATE_LIMITS[type].resetAfter)}`;
  await team.ctx.db
    .insert(rateLimitAttempts)
    .values({ attempt_type: type, identifier, attempts, last_attempt_at: now });
}

describe("files of a ticket", () => {
  type Placed = { messageId?: string | null; kind?: "pdf" | "docx" | "png"; isPrivate?: boolean };

  /** Stores a file of a ticket that the owner has opened; of a note, if it says so. */
  async function place({ messageId = null, kind = "pdf", isPrivate = false }: Placed = {}) {
    const { ctx, organization, owner } = team;
    const ticket = await makeTicket(ctx, { organizationId: organization.id, createdBy: owner, isPrivate });
    if (messageId) await makeMessage(ctx, ticket.id, { id: messageId, is_internal: messageId.includes("note") });
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
  const read = async (person: Person) => openClientTicket(await team.requestOf(person), refOf(ticket));

  const stored = () => team.ctx.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id));

  const send = async (person: Person, intent: string, fields: Record<string, string>, on?: TestContext) =>
    sendClientTicket(on ?? (await team.requestOf(person)), refOf(ticket), { ...fields, intent });

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
    expect(await stored()).toEqual([]);
  });

  test("nobody keeps a draft on a ticket that they may not see", async () => {
    const { status } = await thrownBy(send(team.stranger, "draft", { body: "Mine" }));
    expect(status).toBe(404);
    expect(await stored()).toEqual([]);
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
  const reply = (ctx: TestContext, body: string, files: File[] = []) =>
    sendClientTicket(ctx, refOf(ticket), { intent: "reply", body }, files);

  test("a reply to a ticket that changes all the time is sent back with its text, to be sent again soon", async () => {
    const ctx = await team.requestOf(team.member);
    const batch: typeof ctx.db.batch = async (statements) => {
      await team.ctx.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticket.id}`);
      return ctx.db.batch(statements);
    };
    const files = await filesInStore();
    const response = await reply({ ...ctx, db: { ...ctx.db, batch } }, "Still broken.", [new File([pdf()], "a.pdf")]);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
    expect(await response.json()).toMatchObject({
      errors: { form: expect.stringContaining("Please send it again.") },
      values: { body: "Still broken." },
    });
    await ctx.settle();
    expect([await messages(), await filesInStore()]).toEqual([[], files]);
  });

  const open = (ctx: TestContext, title: string) => sendNewTicket(ctx, { title });

  const opened = () => team.ctx.db.select().from(tickets).where(eq(tickets.organization_id, team.organization.id));

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

  const write = (ctx: TestContext) => reply(ctx, "Still broken.");
  const ACTS = {
    change_user: write,
    change_org: write,
    change_new_org: write,
    ticket_org: (ctx: TestContext) => open(ctx, "Fax"),
  };

  test.each([
    ["change_user", 60, /^You have changed tickets very often .* Try again in 60 minutes/],
    ["ticket_org", 100, /^Your organization has opened many tickets in a short time\./],
    ["change_org", 300, /^Your organization has changed tickets very often in a short time\./],
    [
      "change_new_org",
      40,
      /^Your organization is new here: it can write or change something on tickets 40 times a day until/,
    ],
  ] as const)("of %s there are %d, and whoever comes then waits, with the text in the form", async (type, limit, words) => {
    await review(type === "change_new_org" ? 1 : null);
    const { member, owner, organization } = team;
    const [who, next] = type === "change_user" ? [member.id, member] : [organization.id, owner];
    await haveDone(type, who, limit - 1);
    expect((await ACTS[type](await team.requestOf(member))).status).toBe(303);
    const refused = await ACTS[type](await team.requestOf(next));
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      {
        errors: { form: expect.stringMatching(words) },
        values: type === "ticket_org" ? {} : { body: "Still broken." },
      },
    ]);
  });

  test("the tickets that replies to ended ones become are counted as new ones", async () => {
    const ctx = await team.requestOf(team.member);
    await team.ctx.db
      .update(tickets)
      .set({ status: "closed", closed_at: team.ctx.now() - days(30), resolved_at: team.ctx.now() - days(30) })
      .where(eq(tickets.id, ticket.id));
    await haveDone("ticket_user", team.member.id, 29);
    expect([(await reply(ctx, "Again")).status, (await reply(ctx, "And again")).status]).toEqual([303, 429]);
  });
});

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

describe("room for files", () => {
  beforeEach(() => team.ctx.db.delete(settings).where(eq(settings.key, "fileQuotaGb")));

  /** Returns a PDF file of a size. */
  const fileOf = (size: number): File => new File([pdf("x".repeat(size - 9))], "plan.pdf");

  const reply = (ctx: TestContext, files: File[], changes: Record<string, string> = {}, to = ticket) => {
    const fields = {
      intent: "reply",
      body: "See the file.",
      form_token: issueFormToken(ctx, REPLY_PURPOSE),
      ...changes,
    };
    return sendClientTicket(ctx, refOf(to), fields, files);
  };

  const replyOfStaff = (ctx: TestContext, files: File[], intent = "reply") =>
    sendStaffTicket(ctx, refOf(ticket), { intent, body: "Here you are.", begun_at_message: "0" }, files);

  const sentBy = async (person: Person): Promise<number> => {
    const rows = await team.ctx.db
      .select()
      .from(rateLimitAttempts)
      .where(eq(rateLimitAttempts.attempt_type, "file_bytes_user"));
    return rows.find(({ identifier }) => identifier.startsWith(`${person.id}:`))?.attempts ?? 0;
  };

  /** Says that a person has sent so much today. */
  const haveSent = (person: Person, bytes: number) => haveDone("file_bytes_user", person.id, bytes);

  const storedOf = async (organizationId = team.organization.id): Promise<number> =>
    (await team.ctx.db.select().from(ticketCounts).where(eq(ticketCounts.organization_id, organizationId)))[0]
      ?.file_bytes ?? 0;
  /** Says that the files of the organization take so much. */
  const haveStored = (bytes: number) =>
    team.ctx.db
      .update(ticketCounts)
      .set({ file_bytes: bytes })
      .where(eq(ticketCounts.organization_id, team.organization.id));

  const errorsOf = async (response: Response) =>
    [response.status, ((await response.json()) as { errors: Record<string, string> }).errors] as const;

  const staffContext = async () => {
    const person = await makePerson(team.ctx, { role: "moderator" });
    return { person, ctx: as(team.ctx, person) };
  };

  test("who has sent 500 MB today sends no more, and no byte of it is stored; their colleague and tomorrow are free", async () => {
    await haveSent(team.member, 500 * MIB);
    const before = await filesInStore();
    const ctx = await team.requestOf(team.member);
    const [status, errors] = await errorsOf(await reply(ctx, [fileOf(2_000)]));
    expect([status, errors.files]).toEqual([
      400,
      "You have sent 500.0 MB of files today, of 500.0 MB a day, so these do not fit. There is room again in 9 hours; your text can go without them.",
    ]);
    expect([await filesInStore(), await messages(), await sentBy(team.member)]).toEqual([before, [], 500 * MIB]);
    expect((await reply(ctx, [])).status).toBe(303);
    expect((await reply(await team.requestOf(team.owner), [fileOf(2_000)])).status).toBe(303);
    team.ctx.clock.advance(hours(9));
    expect((await reply(await team.requestOf(team.member), [fileOf(2_000)])).status).toBe(303);
  });

  test("what arrives beyond the room that is left is not kept, also of a file that had begun", async () => {
    await haveSent(team.member, 500 * MIB - 5_000);
    const before = await filesInStore();
    const ctx = await team.requestOf(team.member);
    const [status, errors] = await errorsOf(await reply(ctx, [fileOf(3_000), fileOf(3_000)]));
    await ctx.settle();
    expect([status, errors.files, await filesInStore()]).toEqual([400, expect.stringContaining("do not fit"), before]);
    expect((await reply(ctx, [fileOf(5_000)])).status).toBe(303);
    expect(await sentBy(team.member)).toBe(500 * MIB);
  });

  /** Opens a ticket for each: replies to one ticket wait for each other. */
  const ticketsFor = <Each>(each: readonly Each[]) =>
    Promise.all(
      each.map(async (item) => {
        const { id: organizationId } = team.organization;
        return [item, await makeTicket(team.ctx, { organizationId, createdBy: team.owner })] as const;
      }),
    );

  test("of replies at the same moment only as many are written as there is room for", async () => {
    await haveSent(team.member, 500 * MIB - 5_000);
    const before = await filesInStore();
    const ctx = await team.requestOf(team.member);
    const opened = await ticketsFor([1, 2, 3, 4]);
    const answers = await Promise.all(opened.map(([_, each]) => reply(ctx, [fileOf(3_000)], {}, each)));
    await ctx.settle();
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 429, 429, 429]);
    expect(await filesInStore()).toBe(before + 1);
    expect([await sentBy(team.member), await storedOf()]).toEqual([500 * MIB - 2_000, 3_000]);
  });

  test.each([
    ["that no form sends", "everything", 400],
    ["that is left empty", "", 400],
    ["that takes no files, and fails", "add", 400],
    ["that takes no files, and works", "broken", 303],
  ])("the files of a post with an intent %s are deleted", async (_, intent, status) => {
    const before = await filesInStore();
    const ctx = await team.requestOf(team.member);
    const answer = await reply(ctx, [fileOf(3_000), fileOf(3_000)], { intent }).catch((thrown: Response) => thrown);
    expect(answer.status).toBe(status);
    await ctx.settle();
    expect(await filesInStore()).toBe(before);
  });

  test("the files of a post for another organization than the person works in are deleted", async () => {
    const before = await filesInStore();
    const ctx = await team.requestOf(team.member);
    const refused = await thrownBy(reply(ctx, [fileOf(3_000)], { organization_id: team.other.id }));
    await ctx.settle();
    expect([refused.status, await filesInStore()]).toEqual([409, before]);
  });

  test("of people of an organization at the same moment only as many add files as it has room for", async () => {
    await haveStored(5 * GIB - 5_000);
    const opened = await ticketsFor([team.owner, team.lead, team.owner]);
    const contexts = await Promise.all(opened.map(([person]) => team.requestOf(person)));
    const answers = await Promise.all(
      contexts.map((ctx, index) => reply(ctx, [fileOf(3_000)], {}, opened[index]?.[1])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 429, 429]);
    expect(await storedOf()).toBe(5 * GIB - 2_000);
  });

  test("a client of an organization that nobody has reviewed sends 50 MB a day", async () => {
    await review(team.ctx.now());
    await haveSent(team.member, 50 * MIB - 1_000);
    const ctx = await team.requestOf(team.member);
    const [status, errors] = await errorsOf(await reply(ctx, [fileOf(2_000)]));
    expect([status, errors.files]).toEqual([
      400,
      "You have sent 50.0 MB of files today, of 50.0 MB a day until we have reviewed your organization, so these do not fit. There is room again in 9 hours; your text can go without them.",
    ]);
    await review(null);
    expect((await reply(ctx, [fileOf(2_000)])).status).toBe(303);
  });

  test("the files of a new ticket count, for the organization that is chosen, and a full one takes none", async () => {
    await haveStored(5 * GIB);
    const ctx = await team.requestOf(team.member);
    const open = (files: File[]) => sendNewTicket(ctx, {}, files);
    const [status, errors] = await errorsOf(await open([fileOf(2_000)]));
    expect([status, errors.files]).toEqual([
      400,
      "Your organization's files take 5.0 GB of its 5.0 GB, so these do not fit. Your text can go without them; ask us for more room.",
    ]);
    const { room } = (await (await newTicketPage(args(ctx, get("/client/tickets/new")))).json()) as { room: string };
    expect(room).toBe("Your organization's files take 5.0 GB of its 5.0 GB: no room is left.");
    await team.ctx.db.insert(settings).values({
      key: "fileQuotaGb",
      value_json: "6",
      version: 1,
      updated_at: team.ctx.now(),
    });
    expect((await open([fileOf(2_000)])).status).toBe(303);
    expect(await storedOf()).toBe(5 * GIB + 2_000);
  });

  test("staff meet the quota too, with replies and notes, and read who can raise it; a reply without files goes", async () => {
    await haveStored(5 * GIB - 1_000);
    const { ctx } = await staffContext();
    const before = await filesInStore();
    for (const intent of ["reply", "note"]) {
      const [status, errors] = await errorsOf(await replyOfStaff(ctx, [fileOf(2_000)], intent));
      expect([status, errors.form]).toEqual([
        429,
        "This organization's files take 5.0 GB of its 5.0 GB, so these do not fit. Your text can go without them; an administrator can give more room in the settings.",
      ]);
    }
    await ctx.settle();
    expect([await filesInStore(), await messages()]).toEqual([before, []]);
    expect((await replyOfStaff(ctx, [])).status).toBe(303);
  });

  test("the pages of a ticket say when room is getting short, and nothing before", async () => {
    const { ctx: staff } = await staffContext();
    const ofStaff = () => staffPage(args(staff, get("/admin/tickets"), { ticket: refOf(ticket) }));
    const both = async () => [
      (await openClientTicket(await team.requestOf(team.member), refOf(ticket))).room,
      (await (await ofStaff()).json()).room,
    ];
    expect(await both()).toEqual([null, null]);
    await haveStored(4.2 * GIB);
    await haveSent(team.member, 450 * MIB);
    expect(await both()).toEqual([
      "You have sent 450.0 MB of files today: 50.0 MB are left, and all of 500.0 MB again in 9 hours.",
      "This organization's files take 4.2 GB of its 5.0 GB: 819.2 MB are left.",
    ]);
  });

  test("what is taken back leaves the store at once and counts as sent; a ticket takes its files along to another organization", async () => {
    const { person, ctx } = await staffContext();
    const actor = signedInAs(person, ctx.now()) as StaffActor;
    const stored = await storeFile(ctx, { name: "plan.pdf", kind: "pdf", bytes: pdf() });
    const { size } = stored;
    const sent = { ticketId: ticket.id, text: "See.", effect: "send", baseMessage: 0, files: [stored] } as const;
    const replied = await replyAsStaff(ctx, actor, { ...sent, nonce: "n1" });
    expect([await sentBy(person), await storedOf()]).toEqual([size, size]);
    const before = await filesInStore();
    await undoReply(ctx, actor, { ticketId: ticket.id, messageId: replied.ok ? replied.value : "", nonce: "n2" });
    await ctx.settle();
    // Otherwise whoever sends and takes back in turns fills the store.
    expect([await sentBy(person), await storedOf(), await filesInStore()]).toEqual([size, 0, before - 1]);

    const again = await storeFile(ctx, { name: "plan.pdf", kind: "pdf", bytes: pdf() });
    const file = attachFile(ctx, again, { subject: { type: "ticket", id: ticket.id } });
    await commit(ctx.db, [file.statement]);
    await ctx.db.update(tickets).set({ organization_id: team.other.id }).where(eq(tickets.id, ticket.id));
    expect([await storedOf(), await storedOf(team.other.id)]).toEqual([0, size]);
    await ctx.db.run(sql`DELETE FROM attachments WHERE id = ${file.id}`);
    expect(await storedOf(team.other.id)).toBe(0);
  });
});
