import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Db } from "~/db/client.server";
import type { ListViewer } from "~/lists/criteria";
import { countInWords } from "~/lists/model";
import { type Selection, selectionTable } from "~/lists/selection.server";
import { testContext } from "../../support/context";
import {
  COUNT,
  type Criteria,
  client,
  definePeople,
  fillPeople,
  openPeople,
  peopleList,
  peopleRows,
  staff,
  stranger,
} from "../../support/people-list";

const context = testContext();

beforeAll(() => fillPeople(context.db));

const open = (query: string, viewer: ListViewer, rows = peopleRows) => openPeople(context.db, query, { viewer, rows });

const moveTo = (organizationId: string, id: string) =>
  context.db.run(sql`UPDATE listed_people SET organization_id = ${organizationId} WHERE id = ${id}`);

/** Changes the selected people as a bulk command does; returns the ids of those it has changed. */
async function change(selection: Selection): Promise<string[]> {
  const note = crypto.randomUUID();
  await context.db.run(sql`UPDATE listed_people SET note = ${note} WHERE id IN
    (SELECT t.id FROM ${selectionTable(selection)} s JOIN listed_people t ON t.id = s.id AND t.version = s.version)`);
  const changed = await context.db.all<{ id: string }>(
    sql`SELECT id FROM listed_people WHERE note = ${note} ORDER BY id`,
  );
  return changed.map(({ id }) => id);
}

/** Reads the names in the file of an address. */
async function namesInFile(query: string, viewer: ListViewer): Promise<unknown[]> {
  const names: unknown[] = [];
  const request = { params: new URLSearchParams(query), viewer };
  for await (const chunk of peopleRows.csvExport.lines(context.db, request)) names.push(...chunk.map(([name]) => name));
  return names;
}

test("somebody without the ability of a list gets nothing of it, not even a count", async () => {
  await expect(open("", stranger)).rejects.toThrow("shows nothing to usr_stranger");
  await expect(namesInFile("ids=usr_0003", stranger)).rejects.toThrow("shows nothing");
  const filter = peopleList.readFilter(new URLSearchParams());
  await expect(peopleRows.selectMatching(context.db, { filter, viewer: stranger })).rejects.toThrow("shows nothing");
  expect(() => peopleRows.selectPosted(["usr_0003.1"], stranger.actor)).toThrow("shows nothing");
});

test.each([
  ["a value", () => ({ organizationId: undefined })],
  ["a condition", () => ({ organizationId: "" })],
])("a limit without %s shows nothing rather than everything", async (_missing, ofOrganization) => {
  const rows = definePeople({ ofOrganization });
  await expect(open("", client, rows)).rejects.toThrow("has a limit without a value or a condition");
  expect(() => rows.selectPosted(["usr_0003.1"], client.actor)).toThrow("has a limit without");
});

test("people of another organization who are picked one by one are not found, and finding that out takes no round trip", async () => {
  const picked = ["usr_0003.1", "usr_0004.1", "usr_0006.1", "usr_0009.7", "usr_nobody.1", "'; --"];
  Object.assign(context.cost, { trips: 0 });
  const ofClient = peopleRows.selectPosted(picked, client.actor);
  const ofStaff = peopleRows.selectPosted(picked, staff.actor);
  expect(context.cost.trips).toBe(0);
  expect(await change(ofClient)).toEqual(["usr_0003", "usr_0006"]);
  expect(await change(ofStaff)).toEqual(["usr_0003", "usr_0004", "usr_0006"]);
  expect(await namesInFile("ids=usr_0003,usr_0004,usr_0006", client)).toEqual(["Person 6", "Person 3"]);
  expect(await namesInFile("ids=usr_0003,usr_0004,usr_0006", staff)).toEqual(["Person 6", "Person 4", "Person 3"]);
});

test("somebody who leaves the viewer's sight before the change is left alone, picked or matching", async () => {
  const filter = peopleList.readFilter(new URLSearchParams("q=person 12&role=user"));
  const picked = peopleRows.selectPosted(["usr_0012.1", "usr_0126.1"], client.actor);
  const matching = await peopleRows.selectMatching(context.db, { filter, viewer: client });
  const ids = matching.rows.map(({ id }) => id).sort();
  expect(ids).toEqual(["usr_0012", "usr_0120", "usr_0123", "usr_0126", "usr_0129"]);
  await moveTo("org_1", "usr_0012");
  expect(await change(picked)).toEqual(["usr_0126"]);
  expect(await change(matching)).toEqual(ids.slice(1));
  await moveTo("org_2", "usr_0012");
});

test("who sees what has one of several marks sees it in every order, search, count, file and selection, page by page", async () => {
  const rows = definePeople({
    ofOrganization: ({ membership }) => ({
      organizationId: membership?.organizationId,
      roles: ["admin", "moderator"],
    }),
  });
  const visible = Array.from({ length: COUNT }, (_, index) => index + 1).filter(
    (i) => i % 3 === 0 && (i % 50 === 0 || i % 10 === 1),
  );
  for (const query of ["", "sort=oldest", "sort=name", "q=person"]) {
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null; ) {
      const { page }: Awaited<ReturnType<typeof open>> = await open(`${query}&size=25&after=${after}`, client, rows);
      seen.push(...page.rows.map(({ name }) => name));
      after = page.next;
    }
    expect(seen.sort(), query).toEqual(visible.map((i) => `Person ${i}`).sort());
  }
  expect(countInWords((await open("", client, rows)).total)).toBe(String(visible.length));
  expect(countInWords((await open("q=person&role=admin", client, rows)).total)).toBe("6");
  const picked = rows.selectPosted(["usr_0003.1", "usr_0021.1", "usr_0022.1"], client.actor);
  expect(await change(picked)).toEqual(["usr_0021"]);
});

test("a count that is maintained for everybody is not shown to somebody who sees a part, unless it heeds the limit", async () => {
  const maintainedCount = async (_db: Db, { organizationId }: Criteria) => (organizationId ? 300 : COUNT);
  const ofAll = definePeople({ maintainedCount: async () => COUNT });
  const heeding = definePeople({ maintainedCount, maintainsLimitedCounts: true });
  const shown = async (viewer: ListViewer, rows: typeof peopleRows, query = "") =>
    countInWords((await open(query, viewer, rows)).total);
  expect(await shown(client, ofAll)).toBe("more than 50");
  expect(await shown(client, ofAll, "role=admin")).toBe("6");
  expect(await shown(staff, ofAll)).toBe("900");
  expect([await shown(client, heeding), await shown(staff, heeding)]).toEqual(["300", "900"]);
});
