import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { letters } from "~/db/schema/letters";
import { organizations } from "~/db/schema/organizations";
import { fold } from "~/lib/text";
import * as route from "~/routes/_admin.admin.letters._index";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeOrganization } from "../support/factories";
import { pageAt } from "../support/page";

let staff: TestContext;

/** Returns the letters of an address of the list, in its order. */
async function found(query: string): Promise<string[] | undefined> {
  const { list: read } = await pageAt("/admin/letters", route).read(staff, `/admin/letters?${query}`);
  return read?.page.rows.map(({ organization, title }) => `${organization}, ${title}`);
}

async function makeDraft(organizationId: string, month: string): Promise<string> {
  const id = staff.newId("ltr");
  const at = staff.now();
  const facts_json = JSON.stringify({ promises: { kept: 1, missed: 0 } });
  await staff.db.insert(letters).values({
    ...{ id, created_at: at, updated_at: at, organization_id: organizationId },
    ...{ month, status: "draft", facts_json, words_json: "{}" },
  });
  return id;
}

const make = (name: string) => makeOrganization(staff, name);

const rename = (id: string, name: string) =>
  staff.db
    .update(organizations)
    .set({ name, search_name: fold(name) })
    .where(eq(organizations.id, id));

beforeAll(async () => {
  staff = (await staffMember()).ctx;
});

test("a letter is found by any letters of the name that its organization has now", async () => {
  const { id } = await make("x");
  await makeDraft(id, "2026-10");
  await rename(id, "Larkspur Row");
  expect(await found("q=SPUR")).toEqual(["Larkspur Row, October 2026"]);
  expect(await found("q=rk")).toEqual(["Larkspur Row, October 2026"]);
  await rename(id, "Łąka");
  for (const former of ["q=spur", "q=rk"]) expect(await found(former)).toEqual([]);
  for (const present of ["q=%C5%81%C4%85k", "q=%C4%85k"]) expect(await found(present)).toEqual(["Łąka, October 2026"]);
});

test("a draft that is released is found on the other tab", async () => {
  const { id } = await make("x");
  await rename(id, "Willow Books");
  const letter = await makeDraft(id, "2026-10");
  expect(await found("q=willow&status=released")).toEqual([]);
  await staff.db
    .update(letters)
    .set({ status: "released", letter_json: "{}", letter_hash: "x", released_at: staff.now() })
    .where(eq(letters.id, letter));
  const tabs = [await found("q=willow"), await found("q=willow&status=released")];
  expect(tabs).toEqual([[], ["Willow Books, October 2026"]]);
});

test("a letter that is made late stands at its month, and those of an organization that is deleted are gone", async () => {
  const { id } = await make("x");
  await rename(id, "Cedar Hill");
  for (const month of ["2026-12", "2026-08", "2027-01"]) await makeDraft(id, month);
  const months = ["Cedar Hill, January 2027", "Cedar Hill, December 2026", "Cedar Hill, August 2026"];
  expect(await found("q=cedar")).toEqual(months);
  expect((await found("sort=oldest"))?.at(0)).toBe(months.at(-1));
  await staff.db.delete(organizations).where(eq(organizations.id, id));
  expect(await found("q=cedar")).toEqual([]);
  expect(await found("")).not.toContain(months[0]);
  expect(await staff.db.all(sql`SELECT rowid FROM letter_search WHERE letter_search MATCH '"cedar"'`)).toEqual([]);
});
