import { eq, like } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { importRows, imports } from "~/db/schema/imports";
import { contacts, organizationDomains, organizations } from "~/db/schema/organizations";
import { tickets } from "~/db/schema/tickets";
import { continueImports } from "~/features/import/work.server";
import { organizationTexts } from "~/features/organizations/model";
import { days, hours, minutes } from "~/lib/time";
import { loader as outcomesFile } from "~/routes/_admin.admin.exports.import[.]csv";
import { loader as listLoader, action as uploadAction } from "~/routes/_admin.admin.import._index";
import * as route from "~/routes/_admin.admin.import.$importId";
import { staffMember, withFreshProof } from "../support/admin-area";
import type { TestContext } from "../support/context";
import type { Person } from "../support/factories";
import { pageAt } from "../support/page";
import { args, type Fields, get, postMultipart } from "../support/requests";

const importPage = pageAt("/admin/import/:importId", route);

const PATH = "/admin/import";

let ctx: TestContext;
let base: TestContext;
let person: Person;

beforeEach(async () => {
  ({ ctx, base, person } = await staffMember());
});

async function upload(kind: string, content: string, { preset = "generic", name = "their export.csv" } = {}) {
  const { token } = await (await listLoader(args(ctx, get(PATH)))).json();
  const request = postMultipart(PATH, { form_token: token, kind, preset }, { field: "file", name, bytes: content });
  const answer = (await uploadAction(args(ctx, request))) as Response;
  return { answer, id: answer.headers.get("Location")?.split("/").at(-1) ?? "" };
}

const view = async (id: string, query = "") => (await importPage.read(ctx, `${PATH}/${id}${query}`)).view;

type Intent = "check" | "names" | "columns" | "run" | "undo" | "discard";

/** Fills in a form, which the function that is returned sends. */
async function form(id: string, intent: Intent, fields: Fields = {}) {
  const { tokens, version } = await view(id);
  const all = { form_token: tokens[intent] ?? "", intent, version: String(version), ...fields };
  return () => importPage.post(ctx, `${PATH}/${id}`, all) as Promise<Response>;
}
const send = async (id: string, intent: Intent, fields: Fields = {}) => (await form(id, intent, fields))();

/** Posts the columns as the page shows them. */
async function check(id: string, changes: Fields = {}) {
  const { columns } = await view(id);
  const words = columns?.words.flatMap(({ field, word, meaning }) =>
    meaning === null ? [] : [`${field}|${word}|${meaning}`],
  );
  const { fields = [], dates = "" } = columns?.mapping ?? {};
  return send(id, "check", { column: fields, dates: dates ?? "", organization_id: "", word: words ?? [], ...changes });
}

test("organizations, people and tickets move in one after the other, each asked about once, and out again", async () => {
  const companies = await upload(
    "organizations",
    'Company;Plan;Contract start;Domain;Notes\r\n"Alder & Sons";Core;03/04/2025;alder-sons.example, gmail.com;"Ask for ""Max"""\r\n',
  );
  expect(companies.answer.status).toBe(303);
  expect(await view(companies.id)).toMatchObject({ state: "columns", columns: { needsDates: true, unknown: 0 } });
  const asked = await check(companies.id);
  expect([asked.status, await asked.text()]).toEqual([
    400,
    expect.stringContaining("in which order the file writes its dates"),
  ]);
  expect((await check(companies.id, { dates: "dmy" })).status).toBe(303);
  expect((await view(companies.id)).outcomes).toMatchObject({
    counts: { add: 0, noted: 1, exists: 0, refused: 0 },
    rows: [{ row: 1, label: "Alder & Sons", reason: "“gmail.com” is no domain of one company" }],
  });
  expect((await send(companies.id, "run")).status).toBe(303);
  const [alder] = await base.db.select().from(organizations).where(eq(organizations.name, "Alder & Sons"));
  expect(alder).toMatchObject({
    plan: "core",
    slug: "alder-sons",
    contract_started_at: Date.parse("2025-04-03T05:00:00Z"),
  });
  const domains = await base.db
    .select()
    .from(organizationDomains)
    .where(eq(organizationDomains.organization_id, alder?.id ?? ""));
  expect(domains.map(({ domain }) => domain)).toEqual(["alder-sons.example"]);

  const people = await upload("people", "Name,Email,Company\nMax Alder,max@alder-sons.example,alder & sons\n");
  await check(people.id);
  await send(people.id, "run");
  const [max] = await base.db.select().from(contacts).where(eq(contacts.email, "max@alder-sons.example"));
  expect(max).toMatchObject({ full_name: "Max Alder", organization_id: alder?.id });

  // Nothing but the address says whose it is. One word of the status and the colleague are asked about.
  const text = "Number,Subject,Email,Status,Assignee\n0042,Backup red,max@alder-sons.example,Parked,J. Vale\n";
  const work = await upload("tickets", text);
  expect((await view(work.id)).columns).toMatchObject({ unknown: 1 });
  const word = await check(work.id);
  expect([word.status, await word.text()]).toEqual([400, expect.stringContaining("word_status_Parked")]);
  const { columns } = await view(work.id);
  const colleague = columns?.staff[0]?.id ?? "";
  await check(work.id, { word: ["status|Parked|waiting_for_customer", `assignee|J. Vale|${colleague}`] });
  const twice = await form(work.id, "run");
  expect((await Promise.all([twice(), twice()])).map(({ status }) => status)).toEqual([303, 303]);
  await ctx.settle();
  const [ticket] = await base.db.select().from(tickets).where(eq(tickets.old_number, "0042"));
  expect(ticket).toMatchObject({
    status: "waiting_for_customer",
    contact_id: max?.id,
    assigned_to: colleague,
    due_at: null,
  });
  const again = await upload("tickets", text.replace("0042", "0043"));
  expect((await view(again.id)).columns).toMatchObject({
    unknown: 0,
    mapping: { words: { status: { Parked: "waiting_for_customer" } } },
  });

  // In the order in which they came they are somebody else's ground.
  expect((await view(companies.id, "?undo=1")).changed).toEqual({ tickets: [], count: 1 });
  for (const { id } of [work, people, companies]) {
    expect((await send(id, "undo")).status).toBe(303);
    expect(await view(id)).toMatchObject({ state: "undone", removed: 1, kept: 0 });
  }
  expect(await base.db.select().from(organizations).where(eq(organizations.name, "Alder & Sons"))).toEqual([]);
  const audited = await base.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
  expect(audited.map(({ action }) => action)).toEqual([
    ...Array(3).fill("settings.import_started"),
    ...Array(3).fill("settings.import_undone"),
  ]);
});

test("organizations that a file calls otherwise are settled on the dry run, and remembered for the next file", async () => {
  const text = (from: number) =>
    [
      "Number,Subject,Organization",
      ...["Wren Ltd", "Alder Old", "Left Out"].map((name, at) => `w${from + at},S,${name}`),
    ]
      .concat("")
      .join("\n");
  const pier = await upload("organizations", "Name\nNorth Pier\n");
  await check(pier.id);
  await send(pier.id, "run");
  const { id } = await upload("tickets", text(1));
  await check(id);
  const { names, outcomes } = await view(id);
  expect([names?.asked.map(({ name, meaning }) => [name, meaning]), outcomes?.counts.refused]).toEqual([
    [
      ["Wren Ltd", null],
      ["Alder Old", null],
      ["Left Out", null],
    ],
    3,
  ]);
  const here = names?.organizations.find(({ name }) => name === "North Pier")?.id;
  const wrong = await send(id, "names", { organization: ["", "", "leave"], typed: ["No such name", "", ""] });
  expect([wrong.status, await wrong.json()]).toMatchObject([
    400,
    {
      errors: { typed_0: expect.stringContaining("No organization has this name") },
      // A page without scripts shows them again.
      values: { organization_2: "leave", typed_0: "No such name" },
    },
  ]);
  const stale = await form(id, "names", { organization: ["leave", "leave", "leave"] });
  expect((await send(id, "names", { organization: ["make", "", "leave"], typed: ["", "north PIER", ""] })).status).toBe(
    303,
  );
  expect((await stale()).status).toBe(409);
  expect(await view(id)).toMatchObject({
    state: "checked",
    names: { asked: [{ meaning: "make" }, { meaning: here }, { meaning: "leave" }] },
    outcomes: { counts: { noted: 2, refused: 1 } },
  });
  await send(id, "run");
  expect(await base.db.$count(organizations, eq(organizations.name, "Wren Ltd"))).toBe(1);
  const again = await upload("tickets", text(4));
  await check(again.id);
  // One is here by now, and no question any more.
  expect(await view(again.id)).toMatchObject({
    names: { asked: [{ name: "Alder Old", meaning: here }, { meaning: "leave" }] },
    outcomes: { counts: { noted: 2, refused: 1 } },
  });
});

test("of several organizations with one name one is chosen by what tells them apart, however many are here", async () => {
  const many = Array.from({ length: 51 }, (_, index) => `Pier ${index}`);
  for (const names of [["Twin Quay"], many]) {
    const { id } = await upload("organizations", ["Name,Domains", ...names.map((name) => `${name},`)].join("\n"));
    await check(id);
    await send(id, "run");
  }
  const [first] = await base.db.select().from(organizations).where(eq(organizations.name, "Twin Quay"));
  const second = { ...organizationTexts({ name: "Twin quay", description: "" }), id: "org_twin", slug: "twin-quay-2" };
  await base.db.insert(organizations).values({ ...second, plan: "core", created_at: 1, updated_at: 1 });
  await base.db
    .insert(organizationDomains)
    .values({ domain: "quay.example", organization_id: "org_twin", created_at: 1 });
  const { id } = await upload("tickets", "Number,Subject,Organization\nq1,S,TWIN QUAY\nq2,S,Elsewhere\n");
  await check(id);
  const { names } = await view(id);
  expect(names).toEqual({
    isTyped: true,
    organizations: [
      { id: first?.id, name: "Twin Quay (No plan, /twin-quay)" },
      { id: "org_twin", name: "Twin quay (Core, quay.example, /twin-quay-2)" },
    ],
    asked: [
      { name: "TWIN QUAY", meaning: null, typed: null, isSeveral: true },
      { name: "Elsewhere", meaning: null, typed: null, isSeveral: false },
    ],
  });
  const typed = await send(id, "names", { organization: ["", ""], typed: ["", "twin quay"] });
  expect([typed.status, await typed.text()]).toEqual([
    400,
    expect.stringContaining("Several organizations have this name"),
  ]);
  await send(id, "names", { organization: ["org_twin", ""], typed: ["", "pier 7"] });
  expect(await view(id)).toMatchObject({
    names: {
      asked: [
        { name: "TWIN QUAY", meaning: "org_twin", typed: null },
        { name: "Elsewhere", typed: "Pier 7" },
      ],
    },
    outcomes: { counts: { refused: 0 } },
  });
  await send(id, "run");
  const [ticket] = await base.db.select().from(tickets).where(eq(tickets.old_number, "q1"));
  expect(ticket?.organization_id).toBe("org_twin");
  await base.db.delete(organizations).where(like(organizations.name, "Pier %"));
});

test("a file that is none, a stale page, a late undo and a missing proof change nothing, and say why", async () => {
  for (const [content, problem] of [
    ["", "Choose a file"],
    ["\u0000\u0001binary", "no CSV"],
    ["Name,Email\n", "no CSV"],
    ['Name,Email\n"Never closed,x@y.example\n', "a quotation mark may be missing"],
  ] as const) {
    const { answer, id } = await upload("people", content);
    if (id) expect(await view(id)).toMatchObject({ state: "failed", problem: expect.stringContaining(problem) });
    else expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(problem)]);
  }
  const { id } = await upload("organizations", "Name\nStale Wharf\n");
  const stale = await form(id, "check", { column: ["name"] });
  await check(id);
  const late = await stale();
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining("moved on meanwhile")]);

  base.clock.advance(minutes(20));
  const unproven = await send(id, "run");
  expect([unproven.status, await unproven.text()]).toEqual([400, expect.stringContaining("password")]);
  expect(await view(id)).toMatchObject({ state: "checked", identity: { mfaEnabled: true } });

  await base.db
    .update(imports)
    .set({ state: "done", finished_at: base.now() - hours(25) })
    .where(eq(imports.id, id));
  const tooLate = await send(id, "undo");
  expect([tooLate.status, await tooLate.text()]).toEqual([409, expect.stringContaining("24 hours")]);
});

test("a file that is discarded leaves nothing of it in the store, nor of the ZIP that it came in", async () => {
  const { id } = await upload("tickets", "Number,Subject\nd1,S\n");
  const archive = "imports/their-zip";
  await base.files.put(archive, new Uint8Array([1]));
  await base.db.update(imports).set({ archive_key: archive }).where(eq(imports.id, id));
  const [order] = await base.db.select().from(imports).where(eq(imports.id, id));
  expect((await send(id, "discard")).headers.get("Location")).toBe(PATH);
  await ctx.settle();
  expect(await base.db.$count(imports, eq(imports.id, id))).toBe(0);
  for (const key of [order?.file_key ?? "", archive]) expect(await base.files.get(key)).toBeNull();
});

test("what becomes of rows is a file whose cells no spreadsheet runs, and goes after a week", async () => {
  const { id } = await upload("organizations", 'Name,Plan\n"=HYPERLINK(""http://x"")",\n,\n');
  await check(id);
  const request = get(`/admin/exports/import.csv?import=${id}`);
  const file = (await outcomesFile(args(withFreshProof(ctx), request))) as Response;
  const text = await file.text();
  expect(text).toContain(`"1","'=HYPERLINK(""http://x"")","Added with a change","Begins like a formula`);
  expect(text).toContain('"2","(empty)","Not imported","It has no name"');

  base.clock.advance(days(8));
  while ((await continueImports(ctx)).count > 0);
  expect(await base.db.$count(importRows)).toBe(0);
  expect(await view(id)).toMatchObject({ state: "failed", problem: expect.stringContaining("a week"), outcomes: null });
});
