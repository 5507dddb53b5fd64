import { beforeAll, expect, test } from "vitest";
import { submissionList } from "~/features/submissions/list/definition";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { makePerson, makeSubmission, signedInAs } from "../../support/factories";

const ctx = testContext();
const ids: string[] = [];
let neighboursIn: (query: string, id: string | undefined) => Promise<unknown>;

beforeAll(async () => {
  const avery = await makePerson(ctx, { role: "admin" });
  const viewer = { actor: signedInAs(avery, ctx.now()), zone: "America/Chicago", now: ctx.now() };
  for (const [place, firstName] of ["Delta", "Alpha", "Charlie", "Bravo", "Echo"].entries()) {
    const status = place % 2 === 0 ? "new" : "contacted";
    const { id } = await makeSubmission(ctx, { firstName, company: "Kestrel", status, at: ctx.now() - minutes(place) });
    ids.push(id);
  }
  await makeSubmission(ctx, { moderationReason: "content", at: ctx.now() - minutes(1) });
  neighboursIn = (query, id = "") =>
    submissionRows.neighbours(ctx.db, { filter: submissionList.readFilter(new URLSearchParams(query)), viewer, id });
});

test("the records beside one are those of its list: in its order, with its filter, without held ones", async () => {
  const [delta, alpha, charlie, bravo, echo] = ids;
  expect(await neighboursIn("", charlie)).toEqual({ previous: alpha, next: bravo });
  expect(await neighboursIn("sort=oldest", charlie)).toEqual({ previous: bravo, next: alpha });
  expect(await neighboursIn("sort=name", charlie)).toEqual({ previous: bravo, next: delta });
  expect(await neighboursIn("status=new", charlie)).toEqual({ previous: delta, next: echo });
  expect(await neighboursIn("q=kestrel", charlie)).toEqual({ previous: alpha, next: bravo });
  expect(await neighboursIn("recent=7d", charlie)).toEqual({ previous: alpha, next: bravo });
});

test("a record that has just left the list still has its place between the others", async () => {
  const [, , charlie, bravo, echo] = ids;
  expect(await neighboursIn("status=new", bravo)).toEqual({ previous: charlie, next: echo });
});

test("beside a record of a search for two letters nothing is looked for, which would read the search twice more", async () => {
  const before = ctx.cost.rowsRead;
  expect(await neighboursIn("q=ke&sort=oldest", ids[2])).toEqual({ previous: null, next: null });
  expect(ctx.cost.rowsRead - before).toBe(0);
});

test("there is nothing beside the ends of a list, or a record that does not exist", async () => {
  const [delta, , , , echo] = ids;
  expect(await neighboursIn("q=kestrel", delta)).toMatchObject({ previous: null });
  expect(await neighboursIn("q=kestrel", echo)).toMatchObject({ next: null });
  expect(await neighboursIn("q=kestrel", "sub_none")).toEqual({ previous: null, next: null });
  expect(await neighboursIn("from=2026-11-20&to=2026-11-01", echo)).toEqual({ previous: null, next: null });
});
