import { Buffer } from "node:buffer";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { archives } from "~/db/schema/archives";
import { auditEvents } from "~/db/schema/audit";
import { personErasures } from "~/db/schema/privacy";
import { archivedName } from "~/features/archives/model";
import { makeArchives, sweepArchives } from "~/features/archives/work.server";
import { attachFile } from "~/features/attachments/store-attachment.server";
import { returnPath } from "~/features/auth/model";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { erasePerson, eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { dispatch } from "~/jobs/dispatch.server";
import { SCHEDULE } from "~/jobs/schedule";
import { days, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as staffFile } from "~/routes/_admin.admin.exports.archive[.]zip";
import { loader as staffPage } from "~/routes/_admin.admin.organizations.$organizationId_.archive";
import { loader as clientFile } from "~/routes/_portal.client.exports.archive[.]zip";
import { action, loader as clientPage } from "~/routes/_portal.client.organization.archive";
import { archivedFiles, archiveOf, askedArchive, openedArchive } from "../support/archives";
import { derive, type TestContext } from "../support/context";
import { as, makeMember, makePerson, memberOf } from "../support/factories";
import { mailsTo } from "../support/mails";
import { nonce } from "../support/organizations";
import { args, get, post, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { makeMessage, makeTicket, ticketWorld } from "../support/tickets";

type World = Awaited<ReturnType<typeof ticketWorld>>;

let world: World;
let base: TestContext;
let olive: Awaited<ReturnType<typeof makePerson>>;

const ownerOf = (person = olive, organization = world.here, role: "owner" | "admin" | "member" = "owner") => {
  const actor = memberOf(base, person, organization, role);
  return { actor, ctx: derive(as(base, person), { signedIn: actor }) };
};
const staff = () => {
  const { ctx, actor } = world.staff(world.avery);
  return { actor, ctx: derive(base, ctx) };
};

async function attach(
  ticketId: string,
  name: string,
  messageId: string | null = null,
  bytes: Uint8Array = new TextEncoder().encode(`%PDF-1.7 ${name}`),
) {
  const stored = await storeFile(base, { name, kind: "pdf", bytes });
  await commit(base.db, [attachFile(base, stored, { subject: { type: "ticket", id: ticketId }, messageId }).statement]);
}

beforeEach(async () => {
  world = await ticketWorld();
  ({ base } = world);
  olive = await makePerson(base, { fullName: "Olive Marsh" });
  await makeMember(base, world.here.id, olive, "owner");
});

const client = () => ({ organizationId: world.here.id, isInternal: false });
const internal = () => ({ organizationId: world.here.id, isInternal: true });

type Asker = ReturnType<typeof ownerOf> | ReturnType<typeof staff>;
const opened = ({ ctx, actor }: Asker, wanted = client()) => openedArchive(ctx, actor, wanted);
/** Asks for an archive that waits for the job: nothing is made after the response. */
const waitingArchive = ({ ctx, actor }: Asker, wanted = client()) => askedArchive(waiting(ctx), actor, wanted);
const textOf = (files: Map<string, string>) => [...files.keys(), ...files.values()].join("\n");
/** Lists what the store has of archives. */
const storedKeys = async (prefix = "archives/") =>
  (await base.files.listOlderThan(prefix, Number.MAX_SAFE_INTEGER, undefined)).keys;
const ticketOf = (title: string, createdBy = world.dana) =>
  makeTicket(base, { organizationId: world.here.id, createdBy, title });

const fetched = (ctx: Ctx, id: string, headers: Record<string, string> = {}) =>
  clientFile(
    args(ctx, new Request(get(`/client/exports/archive.zip?archive=${id}`), { headers }), {}),
  ) as Promise<Response>;
const fetchedByStaff = (ctx: Ctx, id: string) =>
  staffFile(args(ctx, get(`/admin/exports/archive.zip?archive=${id}`), {})) as Promise<Response>;

async function ready({ ctx, actor }: ReturnType<typeof ownerOf> = ownerOf()) {
  const id = await askedArchive(ctx, actor, client());
  await base.settle();
  expect((await archiveOf(base, id)).state).toBe("ready");
  return id;
}

test("an archive whose download broke goes on where it was, under its name", async () => {
  const id = await ready();
  const { ctx } = ownerOf();
  const whole = await fetched(ctx, id);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const etag = String(whole.headers.get("ETag"));
  expect(whole.headers.get("Content-Length")).toBe(String(bytes.length));
  const rest = await fetched(ctx, id, { Range: "bytes=100-", "If-Range": etag });
  expect([rest.status, new Uint8Array(await rest.arrayBuffer())]).toEqual([206, bytes.slice(100)]);
  for (const name of ["Content-Disposition", "Content-Type", "Cache-Control", "ETag"])
    expect(rest.headers.get(name), name).toBe(whole.headers.get(name));
});

describe("An archive is fetched ten times an hour", () => {
  const statusesOf = async (id: string, ranges: readonly (string | null)[]) => {
    const { ctx } = ownerOf();
    const statuses: number[] = [];
    for (const range of ranges) {
      const sent = await fetched(ctx, id, range === null ? {} : { Range: range });
      statuses.push(sent.status);
      await sent.body?.cancel();
    }
    return statuses;
  };

  test("also if nearly all of it is asked for as the rest of a download that broke", async () => {
    const id = await ready();
    const nearlyAll = Array.from({ length: 10 }, () => "bytes=1-");
    expect(await statusesOf(id, nearlyAll)).toEqual(nearlyAll.map(() => 206));
    expect(await statusesOf(id, ["bytes=1-", null])).toEqual([429, 429]);
  });

  test("in as many pieces as it broke into, which count as much as they are", async () => {
    const id = await ready();
    const { size } = await archiveOf(base, id);
    const quarters = [1, 2, 3].map((quarter) => `bytes=${quarter * Math.ceil(size / 4)}-`);
    // A whole one, and what three breaks have left of it: 12 + 9 + 6 + 3.
    expect(await statusesOf(id, [null, ...quarters])).toEqual([200, 206, 206, 206]);
    const shortest = Array.from({ length: 18 }, () => `bytes=${size - 1}-`);
    expect(await statusesOf(id, shortest)).toEqual(shortest.map(() => 206));
    expect(await statusesOf(id, [null, null, null, null, null, null])).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statusesOf(id, [`bytes=${size - 1}-`])).toEqual([429]);
  });
});

describe("An archive that is ready is refused", () => {
  test("to everybody but the owner who asked, while they work there, and to nobody without a session", async () => {
    const id = await ready();
    expect((await fetched(ownerOf().ctx, id)).status).toBe(200);
    for (const [who, status] of [
      [ownerOf(world.ivy, world.there), 404],
      [ownerOf(world.omar), 404],
      [ownerOf(olive, world.there), 404],
      [ownerOf(olive, world.here, "admin"), 403],
    ] as const) {
      expect((await thrownBy(fetched(who.ctx, id))).status).toBe(status);
    }
    expect((await thrownBy(fetchedByStaff(staff().ctx, id))).status).toBe(404);
    const stranger = await thrownBy(fetched(derive(base, { signedIn: null }), id));
    expect(stranger.headers.get("Location")).toContain("/client/auth");
  });

  test("when the right was lost between page and file", async () => {
    const id = await ready();
    await base.db.run(
      sql`UPDATE organization_memberships SET role = 'admin' WHERE user_id = ${olive.id} AND organization_id = ${world.here.id}`,
    );
    expect((await thrownBy(fetched(ownerOf().ctx, id))).status).toBe(404);
  });

  test("without a fresh proof of identity, which is asked for and leads back to the page, not to the file", async () => {
    const id = await ready();
    const owner = ownerOf();
    base.clock.advance(minutes(11));
    const answer = await fetched(owner.ctx, id);
    const question = new URL(answer.headers.get("Location") ?? "", "https://wrenfield.example");
    expect([question.pathname, returnPath(question.searchParams.get("redirectTo"))]).toEqual([
      "/profile/confirm",
      "/client/organization/archive",
    ]);
  });

  test("after seven days, and its file is gone from the store", async () => {
    const id = await ready();
    const { file_key: key } = await archiveOf(base, id);
    base.clock.advance(days(7));
    expect((await thrownBy(fetched(ownerOf().ctx, id))).status).toBe(404);
    await makeArchives(base);
    expect(await base.files.get(key ?? "")).toBeNull();
    expect(await base.db.select().from(archives).where(eq(archives.id, id))).toEqual([]);
  });

  test("once a person was erased, wherever they are in it, and once its organization was deleted", async () => {
    const id = await ready();
    const { file_key: key } = await archiveOf(base, id);
    const { ctx, actor } = staff();
    expect((await erasePerson(ctx, actor, { personId: world.dana.id, nonce: nonce() })).ok).toBe(true);
    expect((await thrownBy(fetched(ownerOf().ctx, id))).status).toBe(404);
    await makeArchives(base);
    expect(await base.files.get(key ?? "")).toBeNull();

    await base.settle();
    while ((await eraseRestOfPeople(base)).more);
    await base.db.insert(personErasures).values({ user_id: "con_x", name: "X", email: "", requested_at: 0, step: 99 });
    const other = await askedArchive(ctx, actor, internal());
    await base.settle();
    await makeArchives(base);
    expect(await archiveOf(base, other)).toMatchObject({ state: "asked" });
    while ((await eraseRestOfPeople(base)).more);
    await makeArchives(base);
    const [{ version = 0 } = {}] = await base.db.all<{ version: number }>(
      sql`SELECT version FROM organizations WHERE id = ${world.here.id}`,
    );
    expect((await fetchedByStaff(ctx, other)).status).toBe(200);
    expect((await deleteOrganization(ctx, actor, { organizationId: world.here.id, version, nonce: nonce() })).ok).toBe(
      true,
    );
    expect((await thrownBy(fetchedByStaff(ctx, other))).status).toBe(404);
    await makeArchives(base);
    expect(await storedKeys()).toEqual([]);
  });
});

test("internal notes, their files, drafts and history are in no archive of an owner, and in that of staff", async () => {
  const ticket = await ticketOf("<b>Printer</b>");
  await makeMessage(base, ticket.id, { message: "Hello <script>alert(1)</script>" });
  const note = await makeMessage(base, ticket.id, { message: "zebracrossing", is_internal: true });
  await attach(ticket.id, "plan.pdf");
  await attach(ticket.id, "giraffeneck.pdf", note);
  await attach(ticket.id, "lost.pdf", "msg_gone");
  const files = await opened(ownerOf());
  expect(textOf(files)).not.toMatch(/zebracrossing|giraffeneck|lost\.pdf|internal\/|r2_key|scrypt/);
  const page = files.get(`tickets/T-${ticket.number}.html`) ?? "";
  expect(page).toContain("&lt;b&gt;Printer&lt;/b&gt;");
  expect(page).toContain("Hello &lt;script&gt;alert(1)&lt;/script&gt;");
  expect([...files].filter(([name, text]) => name.endsWith(".html") && /<script/i.test(text))).toEqual([]);
  expect(page).toContain(`href="T-${ticket.number}/1-plan.pdf"`);
  expect(files.get(`tickets/T-${ticket.number}/1-plan.pdf`)).toBe("%PDF-1.7 plan.pdf");
  expect(files.get("index.html")).toContain(`href="tickets/T-${ticket.number}.html"`);
  expect(files.get("people.csv")).toContain('"Dana Ortiz"');
  expect(files.get("people.html")).toContain("Olive Marsh");

  const ours = await opened(staff(), internal());
  expect(ours.get(`tickets/T-${ticket.number}.html`)).toContain("zebracrossing");
  expect([...ours.keys()].some((name) => name.endsWith("giraffeneck.pdf"))).toBe(true);
  expect(ours.get("internal/ticket_notes.ndjson")).toContain("zebracrossing");
  // The same asked by staff for the client has none of it.
  expect(textOf(await opened(staff()))).not.toMatch(/zebracrossing|giraffeneck|lost\.pdf/);
});

test("an owner gets no column that is not listed for clients, nor people who staff said are none of theirs", async () => {
  const message = await makeMessage(base, (await ticketOf("Printer")).id);
  await base.db.run(sql`UPDATE ticket_messages SET not_to = '["usr_leftout"]' WHERE id = ${message}`);
  await base.db.run(
    sql`UPDATE organizations SET needs_review_at = 1, reviews_contacts = 1 WHERE id = ${world.here.id}`,
  );
  for (const [id, email, refusedAt] of [
    ["con_known", "kim@known.example", null],
    ["con_refused", "rita@refused.example", 1],
  ])
    await base.db.run(sql`INSERT INTO contacts (id, organization_id, email, full_name, created_at, refused_at)
      VALUES (${id}, ${world.here.id}, ${email}, 'Somebody', 1, ${refusedAt})`);
  const files = await opened(ownerOf());
  const all = textOf(files);
  expect(all).toContain("kim@known.example");
  expect(all).not.toMatch(
    /rita@refused|usr_leftout|"(not_to|promise_json|facts_json|words_json|recipients|reversal_reason|refused_at|needs_review_at|reviews_contacts)":/,
  );
  expect(JSON.parse((files.get("tables/ticket_messages.ndjson") ?? "").trim())).toMatchObject({ id: message });

  const ours = await opened(staff(), internal());
  expect(ours.get("people.csv")).toContain("rita@refused.example");
  expect(ours.get("tables/ticket_messages.ndjson")).toContain("usr_leftout");
});

test("a ticket that moves away while its files are written takes nothing of the next one with it", async () => {
  const ids: string[] = [];
  for (const title of ["Moves", "Stays"]) {
    const ticket = await ticketOf(title);
    await attach(ticket.id, `${title}-1.pdf`);
    await attach(ticket.id, `${title}-2.pdf`);
    ids.push(ticket.id);
  }
  const id = await waitingArchive(ownerOf());
  const isAtFiles = async () => (await archiveOf(base, id)).progress_json?.includes('"part":"tickets"');
  while (!(await isAtFiles())) await makeArchives(tired(base));
  expect(JSON.parse((await archiveOf(base, id)).progress_json ?? "").place).toMatchObject({ minor: 1 });
  await base.db.run(sql`DELETE FROM support_tickets WHERE id = ${ids[0] ?? ""}`);
  while ((await makeArchives(base)).more);
  const files = await archivedFiles(base, id);
  const names = [...files.keys()].join("\n");
  expect(names).toMatch(/T-\d+\/1-Stays-1\.pdf\n.*T-\d+\/2-Stays-2\.pdf/);
  expect([...files].filter(([name, page]) => /T-\d+\.html$/.test(name) && page.includes(": Stays</h1>"))).toHaveLength(
    1,
  );
});

test("an archive of staff with internal notes is not sent through the portal, whoever asked for it", async () => {
  await makeMember(base, world.here.id, world.avery, "owner").catch(() => undefined);
  const { ctx, actor } = staff();
  const id = await askedArchive(ctx, actor, internal());
  await base.settle();
  expect((await thrownBy(fetched(ownerOf(world.avery).ctx, id))).status).toBe(404);
});

test("nothing of other organizations is in it", async () => {
  const { there, ivy } = world;
  const foreign = await makeTicket(base, { organizationId: there.id, createdBy: ivy, title: "Foreignword" });
  await attach(foreign.id, "foreign.pdf");
  await ticketOf("Ours");
  expect(textOf(await opened(ownerOf()))).not.toMatch(/Foreignword|foreign\.pdf|Ivy Stone/);
});

test("a press on the form makes one archive, a second one while it is made is the same, and a later one replaces it", async () => {
  const { ctx } = ownerOf();
  const idle = waiting(ctx);
  const press = () => {
    const form_token = issueFormToken(idle, "archive");
    return action(args(idle, post("/client/organization/archive", { form_token, organization_id: world.here.id })));
  };
  const listed = () => base.db.select().from(archives).where(eq(archives.requested_by, olive.id));
  await press();
  await press();
  expect((await listed()).map(({ state }) => state)).toEqual(["asked"]);
  while ((await makeArchives(base)).more);
  const [first] = await listed();
  await press();
  expect((await listed()).map(({ state }) => state).sort()).toEqual(["asked", "ended"]);
  while ((await makeArchives(base)).more);
  expect(await base.files.get(first?.file_key ?? "")).toBeNull();
  expect((await (await clientPage(args(ctx, get("/x")))).json()).archives).toMatchObject([{ state: "ready" }]);
  const actions = await base.db.select().from(auditEvents).where(eq(auditEvents.actor_id, olive.id));
  expect(actions.map((event) => event.action)).toEqual([
    "organization.archive_requested",
    "organization.archive_requested",
  ]);
});

test("who asked is mailed the address of a page that opens nothing by itself, and the download is on record", async () => {
  const id = await ready();
  await base.settle();
  const [mail] = await mailsTo(base, olive.email);
  expect(mail?.subject).toBe("The archive of Larkspur Row is ready");
  expect(mail?.text).toContain("/client/organization/archive");
  expect(mail?.text).not.toContain(id);
  const response = await fetched(ownerOf().ctx, id);
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename=".+-2026-11-18\.zip"$/);
  expect(Number(response.headers.get("Content-Length"))).toBe((await response.arrayBuffer()).byteLength);
  const events = await base.db.select().from(auditEvents).where(eq(auditEvents.action, "organization.data_exported"));
  expect(events.filter(({ org_id }) => org_id === world.here.id)).toMatchObject([{ actor_id: olive.id }]);
});

/** More than a part of an upload holds, which no packing makes smaller. */
function unpackable(): Uint8Array {
  const bytes = new Uint8Array(9 * 1024 * 1024);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** Ends after a slice for each thing that is written, so that each begins where the one before was killed or ended. */
const tired = (ctx: TestContext) => derive(ctx, { budget: { isUsedUp: () => true } });

/** Makes nothing after the response. */
const waiting = (ctx: TestContext) =>
  derive(ctx, { after: () => undefined, files: { ...ctx.files, putParts: () => new Promise(() => undefined) } });

/** Ends a run for good when it has put its slice together, or its parts to one file. */
async function killedRun(ctx: TestContext, { isComplete = false } = {}): Promise<void> {
  await new Promise<void>((reached) => {
    const hang = () => {
      reached();
      return new Promise<never>(() => undefined);
    };
    const putParts: TestContext["files"]["putParts"] = async (...asked) => {
      const parts = await ctx.files.putParts(...asked);
      return { ...parts, complete: () => (isComplete ? parts.complete().then(hang) : hang()) };
    };
    // With nothing left to do it ends by itself.
    void makeArchives(derive(ctx, { files: { ...ctx.files, put: hang, putParts } })).then(() => reached());
  });
}

test("killed when the file is whole and before that is written down, it begins anew and ends once", async () => {
  const id = await waitingArchive(ownerOf());
  await makeArchives(tired(base));
  await killedRun(base, { isComplete: true });
  for (let run = 0; run < 2; run += 1) await expect(makeArchives(base)).rejects.toThrow();
  while ((await makeArchives(base)).more);
  expect((await archiveOf(base, id)).state).toBe("ready");
  expect([...(await archivedFiles(base, id)).keys()]).toContain("index.html");
});

test("made in slices, and killed between them and within them, it is the same archive", async () => {
  for (const title of ["One", "Two"]) {
    const ticket = await ticketOf(title);
    await makeMessage(base, ticket.id);
    await attach(ticket.id, "plan.pdf");
    await attach(ticket.id, "plan.pdf");
  }
  await attach((await ticketOf("Large")).id, "large.pdf", null, unpackable());
  const whole = await opened(ownerOf());
  const id = await waitingArchive(ownerOf());
  let slices = 0;
  for (let more = true; more; slices += 1) {
    // The platform ends every second run before it has written down what it did.
    if (slices % 2 === 0) await killedRun(tired(base));
    ({ more } = await makeArchives(tired(base)));
  }
  expect(slices).toBeGreaterThan(10);
  const { file_key: key, state } = await archiveOf(base, id);
  expect(state).toBe("ready");
  expect(await storedKeys(`archives/${id}/`)).toEqual([key]);
  await base.files.put("archives/arc_gone/part", new Uint8Array(1));
  base.clock.advance(days(60));
  await sweepArchives(base);
  expect(await storedKeys()).toContain(key);
  expect(await storedKeys()).not.toContain("archives/arc_gone/part");
  const sliced = await archivedFiles(base, id);
  expect([...sliced.keys()]).toEqual([...whole.keys()]);
  for (const [name, text] of sliced) expect([name, text]).toEqual([name, whole.get(name)]);
});

test("one run of the schedule takes thousands of files, and waits for few of them at once", async () => {
  const ticket = await ticketOf("Scans");
  await base.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
    INSERT INTO attachments(id, subject_type, subject_id, r2_key, name, kind, size, sha256, created_at)
    SELECT 'att_many' || i, 'ticket', ${ticket.id}, 'attachments/many-' || i, i || '.pdf', 'pdf', 9, '', 0 FROM n`);
  let [waiting, most, fetched] = [0, 0, 0];
  const get = async () => {
    most = Math.max(most, ++waiting);
    fetched += 1;
    await Promise.resolve();
    waiting -= 1;
    return new Response("%PDF-1.7 ").body;
  };
  const files = { ...base.files, get };
  const { ctx, actor } = ownerOf();
  const id = await askedArchive(derive(ctx, { files }), actor, client());
  await base.settle();
  expect([(await archiveOf(base, id)).state, fetched, most]).toEqual(["ready", 2000, 5]);
  const sent = [...(await archivedFiles(base, id))].filter(([name]) => name.endsWith(".pdf"));
  expect([sent.length, new Set(sent.map(([, text]) => text))]).toEqual([2000, new Set(["%PDF-1.7 "])]);
  await base.db.update(archives).set({ state: "asked", file_key: null }).where(eq(archives.id, id));
  const job = SCHEDULE.filter(({ run }) => run === makeArchives);
  await dispatch(derive(base, { files }), job);
  expect([(await archiveOf(base, id)).state, fetched, most]).toEqual(["ready", 4000, 5]);
});

test("what fails three times is given up, who asked is told and tries again", async () => {
  const { ctx } = ownerOf();
  const id = await waitingArchive(ownerOf());
  const broken = derive(base, { files: { ...base.files, putParts: () => Promise.reject(new Error("Away")) } });
  for (let run = 0; run < 3; run += 1) await expect(makeArchives(broken)).rejects.toThrow("Away");
  expect(await archiveOf(base, id)).toMatchObject({ state: "failed", failures: 3 });
  const page = await (await clientPage(args(ctx, get("/x")))).json();
  expect(page.archives).toMatchObject([{ state: "failed" }]);
  const again = await ready();
  expect(again).not.toBe(id);
});

test("the page of staff shows only what they asked for themselves, and the state of each", async () => {
  await ready();
  const { ctx } = staff();
  const page = await staffPage(args(ctx, get("/x"), { organizationId: world.here.id }));
  expect((await page.json()).archives).toEqual([]);
  expect((await thrownBy(staffPage(args(ctx, get("/x"), { organizationId: "org_missing" })))).status).toBe(404);
});

test.each([
  ["../../etc/passwd", "1-.._.._etc_passwd"],
  ["C:\\Windows\\win.ini", "1-C_Windows_win.ini"],
  ["con. ", "1-con"],
  ["...", "1-file"],
  ["a\u202egpj.exe\u0000", "1-a_gpj.exe_"],
  ["plan.pdf", "1-plan.pdf"],
  // Cut in the middle of a character, a page could not link to it.
  [`${"😀".repeat(60)}.jpeg`, `1-_${"😀".repeat(37)}.jpeg`],
])("a file that was called %j has a name in its own folder", (name, expected) => {
  expect(archivedName(1, name)).toBe(expected);
  expect(Buffer.byteLength(archivedName(1, name))).toBeLessThan(255);
});
