import { beforeAll, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "~/features/settings/model";
import { countMatches } from "~/features/submissions/count-matches.server";
import { type ListFilter, listFilter, scopeOf } from "~/features/submissions/list-filter";
import { listSubmissions, pickMatches } from "~/features/submissions/list-queries.server";
import { PAGE_SIZES, pageRequest } from "~/lib/paging";
import { days, minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/world";

const ctx = testContext();
const reader = { zone: DEFAULT_SETTINGS.timeZone, now: ctx.now(), userId: "usr_nobody" };
const filter = (query: string): ListFilter => listFilter(new URLSearchParams(query));
const search = (q: string, rest = "") => filter(`${new URLSearchParams({ q })}${rest}`);

async function found(wanted: ListFilter, page = "size=100") {
  const { rows } = await listSubmissions(ctx.db, pageRequest(new URLSearchParams(page)), scopeOf(wanted, reader));
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
  await makeSubmission(ctx, { firstName: "Spam", lastName: "Organic", heldReason: "content" });
});

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

test("a search finds held requests only among the held ones", async () => {
  expect(await found(search("organic", "&view=held"))).toEqual(["Spam Organic"]);
});

test("a search narrows together with status and dates", async () => {
  expect(await found(search("organic", "&status=new&filter=recent"))).toEqual(["Zoë Åström"]);
  expect(await found(search("organic", "&status=resolved"))).toEqual([]);
});

test("the last seven days are whole days, today among them", async () => {
  expect(await found(filter("filter=recent"))).toEqual(["Zoë Åström", "Jürgen Groß", "Anna O'Neil", "Ben Rocket"]);
  expect(await countMatches(ctx.db, scopeOf(filter("filter=recent"), reader))).toEqual({ count: 4, more: false });
});

test("a date range includes its last day to the last millisecond, in the site's zone", async () => {
  // The night on which the clocks of Chicago went forward.
  const lastMoment = Date.parse("2026-03-09T04:59:59.999Z");
  await makeSubmission(ctx, { firstName: "Late", lastName: "Night", at: lastMoment });
  await makeSubmission(ctx, { firstName: "Next", lastName: "Morning", at: lastMoment + 1 });
  expect(await found(filter("from=2026-03-08&to=2026-03-08"))).toEqual(["Late Night"]);
});

test("a search goes on where its page ended, in both directions", async () => {
  for (let place = 0; place < 60; place += 1) {
    await makeSubmission(ctx, { firstName: `Pager${place}`, lastName: "Paged", at: ctx.now() + minutes(place) });
  }
  const [size] = PAGE_SIZES;
  const scope = scopeOf(search("paged"), reader);
  const page = (query: string) => listSubmissions(ctx.db, pageRequest(new URLSearchParams(query)), scope);
  const first = await page("");
  const second = await page(`after=${first.older}`);
  const third = await page(`after=${second.older}`);
  const names = [...first.rows, ...second.rows, ...third.rows].map((row) => row.name);
  expect(new Set(names).size).toBe(60);
  expect(names[0]).toBe("Pager59 Paged");
  expect(first.rows).toHaveLength(size);
  expect(third.older).toBeNull();
  expect((await page(`before=${second.newer}`)).rows).toEqual(first.rows);
  const oldestFirst = scopeOf(search("paged", "&sort=oldest"), reader);
  expect((await listSubmissions(ctx.db, pageRequest(new URLSearchParams()), oldestFirst)).rows[0]?.name).toBe(
    "Pager0 Paged",
  );
});

test("what is mine and what is to be taken up again are lists of their own", async () => {
  const jordan = await makePerson(ctx, { role: "moderator" });
  const { id } = await makeSubmission(ctx, { firstName: "Mine", lastName: "Own" });
  await ctx.db.run(
    `update contact_submissions set owner_id = '${jordan.id}', follow_up_on = '2026-11-17' where id = '${id}'`,
  );
  const asJordan = { ...reader, userId: jordan.id };
  const list = async (query: string) =>
    (await listSubmissions(ctx.db, pageRequest(new URLSearchParams()), scopeOf(filter(query), asJordan))).rows.map(
      (row) => row.name,
    );
  expect(await list("view=mine")).toEqual(["Mine Own"]);
  expect(await list("view=follow_up")).toEqual(["Mine Own"]);
  expect((await pickMatches(ctx.db, scopeOf(filter("view=mine"), asJordan))).map((row) => row.id)).toEqual([id]);
});
