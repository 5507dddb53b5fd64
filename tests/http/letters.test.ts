import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { letterMonths, letters } from "~/db/schema/letters";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { draftLetters, dueMonth, gatherLetterMetrics } from "~/features/letters/draft-letters.server";
import { planNamesOf } from "~/features/settings/model";
import { hours, minutes } from "~/lib/time";
import { fingerprintOf } from "~/platform/crypto.server";
import { loader as staffFile } from "~/routes/_admin.admin.exports.letter[.]pdf";
import { loader as list } from "~/routes/_admin.admin.letters._index";
import { action, loader as page } from "~/routes/_admin.admin.letters.$letterId";
import { loader as ownLetters } from "~/routes/_portal.client.exports.$file";
import { loader as ownFile } from "~/routes/_portal.client.exports.letter[.]pdf";
import { loader as ownList } from "~/routes/_portal.client.letters._index";
import { loader as ownPage } from "~/routes/_portal.client.letters.$letterId";
import { openedArchive } from "../support/archives";
import type { TestContext } from "../support/context";
import { tellingWorld } from "../support/counted-tickets";
import { as, makeMember, makeOrganization, makePerson, memberOf } from "../support/factories";
import { mailsTo } from "../support/mails";
import { pdfText } from "../support/pdf-text";
import { agedToken, args, get, post, thrownBy } from "../support/requests";

type World = Awaited<ReturnType<typeof tellingWorld>>;
let world: World;
let staff: TestContext;
let olive: Awaited<ReturnType<typeof makePerson>>;
/** Names the draft of the organization that raised tickets, and of one that was quiet. */
let busy: string;
let quiet: string;

/** Holds eight o'clock of December 1 in America/Chicago. */
const EIGHT = Date.parse("2026-12-01T14:00:00Z");

const draftOf = async (organizationId: string) => {
  const [row] = await world.base.db.select().from(letters).where(eq(letters.organization_id, organizationId));
  return row;
};

const idOf = (id: string) => ({ letterId: id });
const open = (id: string) => page(args(staff, get(`/admin/letters/${id}`), idOf(id)));
const send = (id: string, fields: Record<string, string>, ctx = staff) =>
  action(args(ctx, post(`/admin/letters/${id}`, { form_token: agedToken(ctx, "letter"), ...fields }), idOf(id)));

/** Returns the request of somebody who manages an organization. */
const asOwner = (person: Parameters<typeof as>[1], organization: { id: string }) => {
  const ctx = as(world.base, person);
  return { ...ctx, signedIn: memberOf(ctx, person, organization, "owner") } as TestContext;
};

beforeAll(async () => {
  world = await tellingWorld();
  const { base, here, there, dana } = world;
  olive = await makePerson(base, { fullName: "Olive Park" });
  await makeMember(base, here.id, olive, "owner");
  // Answered after an hour; an hour before closing: due at nine in the morning, and answered three quarters late.
  const kept = await world.opens("18 09:00", dana, "high");
  await world.replies("18 10:00", kept);
  await world.resolves("18 11:00", kept);
  const late = await world.opens("18 17:00", dana, "urgent");
  await world.judges("19 09:01");
  await world.replies("19 09:45", late, "A gap.");
  await world.moves("19 10:00", late, "waiting_for_customer");
  await base.db.run(sql`UPDATE organizations SET plan = 'core' WHERE id IN (${here.id}, ${there.id})`);
  base.clock.set(EIGHT - minutes(60));
  // The second one is used in December.
  for (const [id, at] of [
    ["alw_1", EIGHT - hours(9)],
    ["alw_2", EIGHT - hours(1)],
  ] as const)
    await base.db.run(sql`
      INSERT INTO allowance_entries(id, organization_id, kind, contract_year, actor_name, at)
      VALUES (${id}, ${here.id}, 'onsite', '2026-01-01', 'Sam', ${at})`);
  await measureTickets(base);
  staff = as(base, world.sam);
});

test("drafts are made once, from eight in the morning of the first day on, for organizations with a plan", async () => {
  const { base, here, there } = world;
  const none = await makeOrganization(base, "No plan");
  expect(await draftLetters(base)).toEqual({ count: 0, more: false });
  base.clock.set(EIGHT);
  await draftLetters(base);
  // As if the run had been lost before it was noted.
  await base.db.delete(letterMonths);
  await draftLetters(base);
  expect(await base.db.select({ id: letters.organization_id, month: letters.month }).from(letters)).toEqual(
    expect.arrayContaining([
      { id: here.id, month: "2026-11" },
      { id: there.id, month: "2026-11" },
    ]),
  );
  expect(await draftOf(none.id)).toBeUndefined();
  expect((await base.db.select().from(letters)).length).toBe(2);
  busy = (await draftOf(here.id))?.id ?? "";
  quiet = (await draftOf(there.id))?.id ?? "";
  const drafts = await (await list(args(staff, get("/admin/letters")))).json();
  expect(drafts.list?.page.rows.map(({ organization }) => organization).sort()).toEqual([
    "Brightsmile",
    "Larkspur Row",
  ]);
});

test.each([
  ["2026-12-01T13:59:59Z", null],
  ["2026-12-01T14:00:00Z", "2026-11"],
  ["2026-12-31T23:00:00Z", "2026-11"],
  // Midnight of New Year's Day is still December in the site's zone.
  ["2027-01-01T05:59:00Z", "2026-11"],
  ["2027-01-01T06:00:00Z", null],
  ["2027-01-01T14:00:00Z", "2026-12"],
])("at %s the letters of %s are due", (at, month) => {
  expect(dueMonth("America/Chicago", Date.parse(at))).toBe(month);
});

test("a draft tells what was counted, every missed promise, and what waits", async () => {
  const { letter, released, pages, recipients } = await (await open(busy)).json();
  expect(letter).toMatchObject({
    verdict: "In November we kept 1 of 2 promises and missed one by 45\u00a0min.",
    misses: [
      { title: "Printer offline", promised: "Nov 19, 09:00", answered: "09:45, late by 45\u00a0min", reason: "A gap." },
    ],
    waiting: [{ title: "Printer offline" }],
    asked: [{ label: "Other", count: "2" }],
  });
  expect(letter.numbers[2]).toEqual({ value: "2 and 1", label: "requests raised and solved" });
  expect(letter.agreed).toContainEqual({ label: "Onsite visits", value: "1 of 16 used" });
  expect([released, pages, recipients]).toEqual([null, 1, ["Olive Park"]]);
});

test("a month without any ticket reads well", async () => {
  const { letter } = await (await open(quiet)).json();
  expect(letter.verdict).toBe("November was quiet: you asked for nothing, and nothing is open.");
  const file = await staffFile(args(staff, get(`/admin/exports/letter.pdf?letter=${quiet}`)));
  const lines = (await pdfText(new Uint8Array(await file.arrayBuffer()))).flat();
  expect(lines).toContain("Nothing this month.");
  expect(lines).toContain("Page 1 of 1");
});

describe("what staff add", () => {
  test("is kept with the draft, one line each, and an older form is not taken over it", async () => {
    const saved = await send(busy, {
      intent: "save",
      version: "1",
      sentence_2: "  The new\nline is next. ",
      reason_1: "A gap.",
    });
    expect(saved.status).toBe(303);
    const { letter, version, words } = await (await open(busy)).json();
    expect([letter.sentences, words.reasons[0], version]).toEqual([["The new line is next."], "A gap.", 2]);
    // It stays in its own field: what comes before it may still be empty.
    expect(words.sentences).toEqual(["", "The new line is next.", ""]);
    const stale = await send(busy, { intent: "save", version: "1", sentence_1: "Typed" });
    expect(stale.status).toBe(409);
    const { values } = await stale.json();
    // Without its version: sent again from the page of now it is taken.
    expect(values).toMatchObject({ sentence_1: "Typed" });
    expect(values).not.toHaveProperty("version");
  });

  test("stays out once it was taken out, though it was said on the ticket", async () => {
    expect((await send(busy, { intent: "save", version: "2", sentence_1: "The new line is next." })).status).toBe(303);
    expect((await (await open(busy)).json()).words.reasons[0]).toBe("");
  });

  test("is not too long, and a letter is not released while a missed promise has no reason", async () => {
    const long = await send(busy, { intent: "save", version: "3", sentence_1: "x".repeat(201) });
    expect(long.status).toBe(400);
    expect(await long.json()).toMatchObject({ errors: { sentence_1: "A sentence can have at most 200 characters" } });
    const missing = await send(busy, { intent: "release", version: "3", sentence_1: "Hello" });
    expect(missing.status).toBe(400);
    expect(await missing.json()).toMatchObject({
      errors: { reason_1: "Say why this promise was missed" },
      values: { sentence_1: "Hello" },
    });
    expect((await draftOf(world.here.id))?.status).toBe("draft");
  });
});

describe("a release", () => {
  test("happens once, however many try at the same time, and mails owner and admins", async () => {
    const words = { sentence_1: "The new line is next.", reason_1: "Our rota had a gap." };
    const fields = { intent: "release", version: "3", ...words };
    const rival = as(world.base, world.avery);
    await world.base.db.run(sql`UPDATE support_tickets SET status = 'open' WHERE status = 'waiting_for_customer'`);
    const answers = await Promise.all([send(busy, fields), send(busy, fields, rival)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await send(busy, { ...fields, version: "4" })).status).toBe(409);
    expect(await mailsTo(world.base, olive.email)).toHaveLength(1);
    expect(await world.base.db.get(sql`SELECT user_id FROM outbox WHERE kind = 'letter'`)).toEqual({
      user_id: olive.id,
    });
    const subjects = (await mailsTo(world.base, world.dana.email)).map(({ subject }) => subject);
    expect(subjects).not.toContain("November 2026: your letter from Wrenfield");
    const row = await draftOf(world.here.id);
    expect(row).toMatchObject({
      status: "released",
      recipients: 1,
      letter_hash: fingerprintOf(row?.letter_json ?? ""),
    });
  });

  test("is the same in the portal, as PDF and by mail", async () => {
    const owner = asOwner(olive, world.here);
    const { letter } = await (await ownPage(args(owner, get(`/client/letters/${busy}`), idOf(busy)))).json();
    const file = await ownFile(args(owner, get(`/client/exports/letter.pdf?letter=${busy}`)));
    const paper = (await pdfText(new Uint8Array(await file.arrayBuffer()))).flat().join(" ");
    const [mail] = await mailsTo(world.base, olive.email);
    expect(letter.misses[0]?.reason).toBe("Our rota had a gap.");
    // Nothing waits for them any more.
    expect(letter.waiting).toEqual([]);
    const plain = (text = "") => text.replace(/\s+/g, " ");
    for (const text of [letter.verdict, "Our rota had a gap.", "The new line is next."].map(plain)) {
      expect(plain(paper)).toContain(text);
      expect(plain(mail?.text)).toContain(text);
    }
    expect(mail?.text).toContain(`/client/letters/${busy}`);
  });

  test("is not seen by another organization, nor is a draft by its own", async () => {
    const { there, ivy } = world;
    const stranger = asOwner(ivy, there);
    expect((await thrownBy(ownPage(args(stranger, get(`/client/letters/${busy}`), idOf(busy))))).status).toBe(404);
    expect((await thrownBy(ownFile(args(stranger, get(`/client/exports/letter.pdf?letter=${busy}`))))).status).toBe(
      404,
    );
    expect((await thrownBy(ownPage(args(stranger, get(`/client/letters/${quiet}`), idOf(quiet))))).status).toBe(404);
    const { list: own } = await (await ownList(args(stranger, get("/client/letters")))).json();
    expect(own?.page.rows).toEqual([]);
    const linesFor = async (ctx: TestContext) =>
      (await (await ownLetters(args(ctx, get("/client/exports/letters.csv"), { file: "letters.csv" }))).text()).split(
        "\r\n",
      );
    expect(await linesFor(stranger)).toHaveLength(2);
    const [, line] = await linesFor(asOwner(olive, world.here));
    expect(line).toMatch(/^"Larkspur Row","2026-11","Released","1","1",.*,"1","[0-9a-f]{64}"$/);
  });

  test("says who released it until their account is erased, which changes nothing of what was sent", async () => {
    await world.base.db.run(sql`UPDATE letters SET released_by_name = 'Former member' WHERE id = ${busy}`);
    const owner = asOwner(olive, world.here);
    const { signedBy } = await (await ownPage(args(owner, get(`/client/letters/${busy}`), idOf(busy)))).json();
    expect(signedBy).toBe("Former member");
  });

  const archived = async () => {
    const { base, here, avery } = world;
    const { ctx, actor } = world.staff(avery);
    return openedArchive({ ...base, ...ctx }, actor, { organizationId: here.id, isInternal: true });
  };

  test("is a file in the archive of its organization, and drafts are among what only staff read", async () => {
    const { base, here } = world;
    await base.db.insert(letters).values({
      ...{ id: "ltr_draft", organization_id: here.id, month: "2026-12", status: "draft", facts_json: "{}" },
      ...{ words_json: '{"sentences":["Not agreed"]}', created_at: base.now(), updated_at: base.now() },
    });
    const files = await archived();
    expect([...files].filter(([, text]) => text.includes("Not agreed")).map(([name]) => name)).toEqual([
      "internal/letters.ndjson",
    ]);
    expect(files.get("internal/letters.ndjson")).not.toContain('"month":"2026-11"');
    expect([...files.keys()].filter((name) => name.startsWith("letters/"))).toEqual(["letters/2026-11.pdf"]);
    expect(files.get("letters/2026-11.pdf")).toMatch(/^%PDF-/);
    expect(files.get("tables/letters.ndjson")).toContain('"month":"2026-11"');
  });

  test("cannot be changed afterwards, and a changed one is not shown as what was sent", async () => {
    const change = () => world.base.db.run(sql`UPDATE letters SET letter_json = '{}' WHERE id = ${busy}`);
    await expect(change()).rejects.toThrow();
    await world.base.db.run(sql`DROP TRIGGER letters_stay_as_released`);
    await change();
    const owner = asOwner(olive, world.here);
    await expect(ownPage(args(owner, get(`/client/letters/${busy}`), idOf(busy)))).rejects.toThrow(
      /not what was released/,
    );
    const files = await archived();
    expect([files.has("letters/2026-11.pdf"), files.has("tables/letters.ndjson")]).toEqual([false, true]);
  });
});

test("a letter is said to be saved or released only if that form did it, not one before with the same token", async () => {
  const { base, here, sam } = await tellingWorld();
  const staff = as(base, sam);
  const id = staff.newId("ltr");
  const organization = { ...here, number: 1, name: "Larkspur Row", plan: "core" as const };
  const metrics = await gatherLetterMetrics(
    base.db,
    { ...organization, contractStartedAt: null, people: 1, withoutSecondFactor: 0 },
    { month: "2026-10", zone: "America/Chicago", planNames: planNamesOf(plans) },
  );
  await base.db.insert(letters).values({
    ...{ id, organization_id: here.id, month: "2026-10", status: "draft" },
    ...{ facts_json: JSON.stringify(metrics), words_json: "{}", created_at: base.now(), updated_at: base.now() },
  });
  const form_token = agedToken(staff, "letter");
  const send = async (intent: string, sentence_1: string, version = "1") => {
    const request = post(`/admin/letters/${id}`, { form_token, intent, sentence_1, version });
    return (await action(args(staff, request, { letterId: id }))).status;
  };
  expect([await send("save", "One."), await send("save", "One.")]).toEqual([303, 303]);
  expect([await send("save", "Two."), await send("release", "One.")]).toEqual([409, 409]);
  const colleague = { words_json: JSON.stringify({ sentences: ["Theirs."], reasons: [] }), version: 3 };
  await base.db.update(letters).set(colleague).where(eq(letters.id, id));
  expect(await send("save", "One.")).toBe(409);
  expect([await send("release", "One.", "3"), await send("release", "One.", "3")]).toEqual([303, 303]);
  expect(await send("save", "Two.", "4")).toBe(409);
  const [row] = await base.db.select().from(letters).where(eq(letters.id, id));
  expect(row).toMatchObject({ status: "released", version: 4, words_json: expect.stringContaining("One.") });
});
