import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { contactSubmissions } from "~/db/schema/submissions";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { hours } from "~/lib/time";
import { loader as activity } from "~/routes/_admin.admin.activity";
import { loader } from "~/routes/_admin.admin.submissions._index";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeSubmission, signedInAs } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";

/** Opens the list and returns the rows of a company. */
async function rowsOf(ctx: TestContext, company: string, query: string) {
  const opened = await loader(args(ctx, get(`/admin/submissions?${query}`), {}));
  const { list } = await opened.json();
  return (list?.page.rows ?? []).filter((row) => row.company === company);
}

// A plan of each kind: by an index, by the search index, and by scanning.
test.each([
  "",
  "q=rowdetails",
  "view=mine",
  "view=mine&q=rowdetails",
  "view=mine&status=contacted&q=ro",
])("a row at %j tells who has it, how the promise stands and how the message begins", async (query) => {
  const { ctx, person, base } = await staffMember();
  const company = "Rowdetails Ltd";
  const { id } = await makeSubmission(ctx, { company });
  const message = `First line,\r\n\tsecond   line. ${"x".repeat(200)}`;
  await ctx.db.update(contactSubmissions).set({ owner_id: person.id, message }).where(eq(contactSubmissions.id, id));
  base.clock.advance(hours(1));
  const change = { submissionId: id, status: "contacted" as const, nonce: crypto.randomUUID() };
  await changeSubmissionStatus(ctx, signedInAs(person, base.now()), change);
  const row = (await rowsOf(ctx, company, query)).find((candidate) => candidate.id === id);
  expect(row).toMatchObject({
    owner: person.fullName,
    due: { words: expect.stringMatching(/^answered \d\d:\d\d$/), isLate: false },
  });
  expect(row?.snippet).toMatch(/^First line, second line\. x+…$/);
  expect(row?.snippet?.length).toBeLessThanOrEqual(80);
  expect(JSON.stringify(row)).not.toContain(message.slice(60));
});

test("a row that waits says until when, then that it is late, and one without owner or message says nothing else", async () => {
  const { ctx, base } = await staffMember();
  const company = `Waiting ${crypto.randomUUID()}`;
  const { id } = await makeSubmission(ctx, { company });
  await ctx.db.update(contactSubmissions).set({ message: null }).where(eq(contactSubmissions.id, id));
  expect(await rowsOf(ctx, company, "")).toMatchObject([
    { owner: null, snippet: null, due: { words: expect.stringMatching(/^due /), isLate: false } },
  ]);
  base.clock.advance(hours(72));
  expect(await rowsOf(ctx, company, "")).toMatchObject([
    { due: { words: expect.stringMatching(/^late by /), isLate: true } },
  ]);
});

test("a held row says why it is held", async () => {
  const { ctx } = await staffMember();
  const company = `Held ${crypto.randomUUID()}`;
  await makeSubmission(ctx, { company, moderationReason: "content" });
  const row = { due: { words: "looks like advertising", isLate: false } };
  expect(await rowsOf(ctx, company, "view=held")).toMatchObject([row]);
});

test.each([
  [loader, "/admin/submissions", "q=&status=new&sort=newest&from=&to=&size=50", "status=new&size=50"],
  [activity, "/admin/activity", "type=&q=a", "q=a"],
])("an address with empty parameters, as a form without scripts sends it, leads to the one without them", async (open, path, query, kept) => {
  const { ctx } = await staffMember();
  const moved = await thrownBy(open(args(ctx, get(`${path}?${query}`), {})));
  expect([moved.status, moved.headers.get("Location")]).toEqual([302, `${path}?${kept}`]);
});

test("days in the wrong order are answered with 400, and are still in the fields", async () => {
  const { ctx } = await staffMember();
  const answer = await loader(args(ctx, get("/admin/submissions?from=2026-11-12&to=2026-11-10&q=anna"), {}));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    filter: { from: "2026-11-12", to: "2026-11-10", q: "anna" },
    list: { page: { rows: [] } },
  });
});
