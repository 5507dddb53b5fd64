import { eq, gt } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { contactSubmissions } from "~/db/schema/submissions";
import { submissionList } from "~/features/submissions/list/definition";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { days, minutes } from "~/lib/time";
import { PAGE_SIZES } from "~/lists/model";
import { testContext } from "../../support/context";
import { makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { listSubmissions, readSubmissions, STAFF_VIEWER } from "../../support/submission-list";

const ctx = testContext();
/** Numbers the last of those that all tests see. */
let lastOfAll = 0;
const search = (q: string, rest = "") => `${new URLSearchParams({ q })}${rest}`;
const idsFor = async (query: string) => (await listSubmissions(ctx.db, query)).map(({ id }) => id);

async function found(query: string) {
  const rows = await listSubmissions(ctx.db, `${query}&size=100`);
  return rows.map((row) => row.name);
}

beforeAll(async () => {
  const person = (firstName: string, lastName: string, company: string, daysAgo = 0) =>
    makeSubmission(ctx, {
      firstName,
      lastName,
      company,
      email: `${lastName.toLowerCase().replace(/\W/g, "")}@acme.example`,
      at: ctx.now() - days(daysAgo),
    });
  await person("Cara", "Plain", "Organically Grown", 30);
  await person("Ben", "Rocket", "Fire 🚀 Works", 3);
  await person("Anna", "O'Neil", 'The "Quoted" Shop', 2);
  await person("Jürgen", "Groß", "a_b Systems", 1);
  await person("Zoë", "Åström", "100% Organic");
  ({ number: lastOfAll } = await makeSubmission(ctx, {
    ...{ firstName: "Spam", lastName: "Organic", moderationReason: "content" },
  }));
});

// What a test adds is gone for the next.
afterEach(() => ctx.db.delete(contactSubmissions).where(gt(contactSubmissions.number, lastOfAll)));

test.each([
  ["zoe astrom", ["Zoë Åström"]],
  ["ZOË", ["Zoë Åström"]],
  ["gross", ["Jürgen Groß"]],
  ["100%", ["Zoë Åström"]],
  ["a_b", ["Jürgen Groß"]],
  ["a%b", []],
  ["o'neil", ["Anna O'Neil"]],
  ['"quoted"', ["Anna O'Neil"]],
  ['" OR "', []],
  ["organic", ["Zoë Åström", "Cara Plain"]],
  ["🚀", ["Ben Rocket"]],
  ["%", ["Zoë Åström"]],
  ["_", ["Jürgen Groß"]],
  ["be", ["Ben Rocket"]],
  ["rocket@acme", ["Ben Rocket"]],
  ["x".repeat(200), []],
  ["\u0000", ["Zoë Åström", "Jürgen Groß", "Anna O'Neil", "Ben Rocket", "Cara Plain"]],
])("a search for %j finds %j, letter by letter", async (q, names) => {
  expect(await found(search(q))).toEqual(names);
});

test("a search combines with status and dates, and finds held submissions only among the held ones", async () => {
  expect(await found(search("organic", "&view=held"))).toEqual(["Spam Organic"]);
  expect(await found(search("organic", "&status=new&filter=recent"))).toEqual(["Zoë Åström"]);
  expect(await found(search("organic", "&status=resolved"))).toEqual([]);
});

test("the last seven days are whole days, today among them", async () => {
  expect(await found("filter=recent")).toEqual(["Zoë Åström", "Jürgen Groß", "Anna O'Neil", "Ben Rocket"]);
  expect((await readSubmissions(ctx.db, "filter=recent")).total).toEqual({ count: 4, more: false });
});

test("a date range includes its last day to the last millisecond, in the site's zone", async () => {
  // The night on which the clocks of Chicago went forward.
  const lastMoment = Date.parse("2026-03-09T04:59:59.999Z");
  await makeSubmission(ctx, { firstName: "Late", lastName: "Night", at: lastMoment });
  await makeSubmission(ctx, { firstName: "Next", lastName: "Morning", at: lastMoment + 1 });
  expect(await found("from=2026-03-08&to=2026-03-08")).toEqual(["Late Night"]);
});

test("pages of a search follow each other without a gap, in both directions", async () => {
  for (let place = 0; place < 60; place += 1) {
    await makeSubmission(ctx, { firstName: `Pager${place}`, lastName: "Paged", at: ctx.now() + minutes(place) });
  }
  const [size] = PAGE_SIZES;
  const page = async (query: string) => (await readSubmissions(ctx.db, search("paged", query))).page;
  const first = await page("");
  const second = await page(`&after=${first.next}`);
  const third = await page(`&after=${second.next}`);
  const names = [...first.rows, ...second.rows, ...third.rows].map((row) => row.name);
  expect(new Set(names).size).toBe(60);
  expect(names[0]).toBe("Pager59 Paged");
  expect(first.rows).toHaveLength(size);
  expect(third.next).toBeNull();
  expect((await page(`&before=${second.previous}`)).rows).toEqual(first.rows);
  expect((await page("&sort=oldest")).rows[0]?.name).toBe("Pager0 Paged");
});

test("what is mine and what is to be taken up again are lists of their own", async () => {
  const jordan = await makePerson(ctx, { role: "moderator" });
  const { id } = await makeSubmission(ctx, { firstName: "Mine", lastName: "Own" });
  const set = { owner_id: jordan.id, follow_up_on: "2026-11-17" };
  await ctx.db.update(contactSubmissions).set(set).where(eq(contactSubmissions.id, id));
  const asJordan = { ...STAFF_VIEWER, actor: signedInAs(jordan, ctx.now()) };
  const list = async (query: string) =>
    (await readSubmissions(ctx.db, query, asJordan)).page.rows.map((row) => row.name);
  expect(await list("view=mine")).toEqual(["Mine Own"]);
  expect(await list("view=follow_up")).toEqual(["Mine Own"]);
  const mine = submissionList.readFilter(new URLSearchParams("view=mine"));
  const { rows } = await submissionRows.selectMatching(ctx.db, { filter: mine, viewer: asJordan });
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test("the owner combines with every other filter, with a search of any length, and with the views", async () => {
  const [riley, sam] = [await makePerson(ctx, { role: "moderator" }), await makePerson(ctx, { role: "admin" })];
  const add = async (lastName: string, owner_id: string | null, more: Parameters<typeof makeSubmission>[1] = {}) => {
    const { id } = await makeSubmission(ctx, { firstName: "Quokka", lastName, ...more });
    const set = { owner_id, follow_up_on: "2026-11-17" };
    await ctx.db.update(contactSubmissions).set(set).where(eq(contactSubmissions.id, id));
  };
  await add("Rileys", riley.id);
  await add("Sams", sam.id);
  await add("Nobodys", null);
  await add("Done", null, { status: "resolved" });
  await add("Held", null, { moderationReason: "content" });
  await add("Taken", sam.id, { moderationReason: "content" });
  const asRiley = { ...STAFF_VIEWER, actor: signedInAs(riley, ctx.now()) };
  const list = async (query: string) => {
    const { page } = await readSubmissions(ctx.db, `size=100&${query}`, asRiley);
    return page.rows
      .map(({ name }) => name)
      .filter((name) => name.startsWith("Quokka"))
      .sort();
  };
  for (const q of ["", "&q=quokka", "&q=qu"]) {
    expect(await list(`owner=me${q}`), q).toEqual(["Quokka Rileys"]);
    expect(await list(`owner=none${q}`), q).toEqual(["Quokka Done", "Quokka Nobodys"]);
    expect(await list(`owner=none&status=new${q}`), q).toEqual(["Quokka Nobodys"]);
    expect(await list(`owner=none&filter=recent${q}`), q).toEqual(["Quokka Done", "Quokka Nobodys"]);
    expect(await list(`owner=none&view=held${q}`), q).toEqual(["Quokka Held"]);
    expect(await list(`owner=none&view=follow_up${q}`), q).toEqual(["Quokka Nobodys"]);
    expect(await list(`owner=me&status=resolved${q}`), q).toEqual([]);
  }
});

/** Stores many submissions that a term does not find, and one at their very beginning that it does. */
async function crowd(prefix: string, needle: string, moderationReason: string | null) {
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text, held_reason)
    SELECT 'sub_${prefix}' || i, 1000 * i, 1, 600000 + (${prefix.length} * 1000) + i, '${prefix}', 'Crowd', 'c@d.example',
      CASE WHEN i % 5 = 0 THEN 'new' ELSE 'resolved' END, 1, 1, 'x', 'x',
      '${prefix} crowd' || CASE WHEN i = 5 THEN ' ${needle}' ELSE '' END, ${moderationReason} FROM n`);
}

test("two letters find the one submission that has them among many, at once, with a status too", async () => {
  await crowd("plain", "w李☂", null);
  for (const q of ["w李", "☂", "李☂"]) {
    expect(await idsFor(search(q)), q).toEqual(["sub_plain5"]);
  }
  const { page: rare } = await readSubmissions(ctx.db, search("w李", "&status=new"));
  expect(rare).toMatchObject({ rows: [{ id: "sub_plain5" }], scanned: null });
  expect(await idsFor(search("w李", "&status=contacted"))).toEqual([]);
});

test("a search that has to stop says how far it looked, and its pages lead to the very beginning", async () => {
  await crowd("delayed", "qjx", null);
  await ctx.db.run(
    "update contact_submissions set follow_up_on = '2026-11-17', status = 'new' where first_name = 'delayed'",
  );
  const toFollowUp = search("qjx", "&view=follow_up");
  const pages: string[][] = [];
  for (let place = ""; ; ) {
    const { rows, next, scanned } = (await readSubmissions(ctx.db, toFollowUp + place)).page;
    pages.push(rows.map(({ id }) => id));
    if (!next) break;
    expect(scanned).toBe(150);
    place = `&after=${next}`;
  }
  expect([pages.flat(), pages.length]).toEqual([["sub_delayed5"], 5]);
  expect((await readSubmissions(ctx.db, toFollowUp)).total).toEqual({ count: 0, more: "possibly" });
});

test("the search follows changes, releases and deletions, for short terms too", async () => {
  const { id } = await makeSubmission(ctx, { firstName: "Vj", lastName: "Oldname", moderationReason: "content" });
  const names = (q: string) => idsFor(search(q));
  expect([await names("vj"), await names("oldname")]).toEqual([[], []]);
  await ctx.db.run(`update contact_submissions set held_reason = null where id = '${id}'`);
  expect([await names("vj"), await names("oldname")]).toEqual([[id], [id]]);
  await ctx.db.run(`update contact_submissions set search_text = 'zj newname', status = 'resolved' where id = '${id}'`);
  expect([await names("vj"), await names("oldname")]).toEqual([[], []]);
  expect([await names("zj"), await names("newname")]).toEqual([[id], [id]]);
  expect(await idsFor(search("newname", "&status=new"))).toEqual([]);
  expect(await idsFor(search("newname", "&status=resolved"))).toEqual([id]);
  await ctx.db.run(`delete from contact_submissions where id = '${id}'`);
  expect([await names("zj"), await names("newname")]).toEqual([[], []]);
});
