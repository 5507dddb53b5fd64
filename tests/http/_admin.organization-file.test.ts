import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { addNote } from "~/features/notes/add-note.server";
import { minutes } from "~/lib/time";
import { loader } from "~/routes/_admin.admin.exports.$file";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeInvitedMember, makeMember, makeOrganization, makePerson } from "../support/factories";
import { administrator, details, newOrganization, nonce } from "../support/organizations";
import { args, get, thrownBy } from "../support/requests";

let ctx: TestContext;
let base: TestContext;
let id: string;

beforeEach(async () => {
  const world = await administrator();
  ({ base, ctx } = world);
  id = await newOrganization(ctx, world.actor, details({ name: `Elm ${nonce()}`, domains: [`${nonce()}.example`] }));
  await makeMember(base, id, await makePerson(base, { fullName: "Dana Whitlock" }), "owner");
  await makeInvitedMember(base, id, { email: "soon@clinic.example" });
  const subject = { type: "organization", id } as const;
  await addNote(ctx, world.actor, { subject, note: '=HYPERLINK("x")\nSecond line', nonce: nonce() });
});

const fetchFile = (organization: string, context = ctx) =>
  loader(
    args(context, get(`/admin/exports/organization.csv?organization=${organization}`), { file: "organization.csv" }),
  );
const partsOf = async (response: Response) => {
  const text = (await response.text()).replace(/^\ufeff/, "");
  return text.trimEnd().split("\r\n");
};

test("everything that goes with an organization, and its history, is one file, harmless to a spreadsheet", async () => {
  const response = await fetchFile(id);
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="organization-.*\.csv"$/);
  const [header, ...lines] = await partsOf(response);
  expect(header).toBe('"Part","Time (UTC)","Time (site time)","Name","Email","Details","Text"');
  const text = lines.join("\n");
  for (const part of ["Organization", "Email domain", "Member", "Internal note", "History"]) {
    expect(text, part).toContain(`"${part}",`);
  }
  expect(text).toMatch(/"Member",.*"Dana Whitlock","[^"]+","Owner, Active"/);
  expect(text).toMatch(/"Member",.*"","soon@clinic\.example","Member, Invited"/);
  expect(text).toContain(`"'=HYPERLINK(""x"")`);
  expect(text).toContain("created an organization");
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "organization.data_exported"));
  expect(event).toMatchObject({ subject_id: id, org_id: id, subject_label: null });
  expect(JSON.parse(event?.meta_json ?? "")).toMatchObject({ complete: true });
});

test("thousands of members, notes and events are each in it once, and nothing of another organization is", async () => {
  const other = await makeOrganization(base, "Ash Clinic");
  await makeInvitedMember(base, other.id, { email: "foreign@ash.example" });
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO organization_memberships(id, created_at, updated_at, organization_id, role, status, invited_email)
    SELECT 'mem_${id}' || i, 1, 1, '${id}', 'member', 'pending', 'many' || i || '@elm.example' FROM n`);
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO admin_notes(id, created_at, updated_at, subject_type, subject_id, admin_user_id, author_name, note)
    SELECT 'note_${id}' || i, i / 3, 1, 'organization', '${id}', 'usr_1', 'Ada', 'Many ' || i FROM n`);
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO audit_events(at, actor_role, actor_name, action, subject_type, subject_id, org_id)
    SELECT i, 'admin', 'Many' || i, 'organization.updated', 'organization', '${id}', '${id}' FROM n`);
  const lines = await partsOf(await fetchFile(id));
  const distinct = (pattern: RegExp) => new Set(lines.flatMap((line) => line.match(pattern)?.[0] ?? [])).size;
  expect(distinct(/many\d+@elm\.example/)).toBe(1_200);
  expect(distinct(/"Many \d+"/)).toBe(1_200);
  expect(distinct(/"Many\d+"/)).toBe(1_200);
  expect(lines.length).toBe(new Set(lines).size);
  expect(lines.join("\n")).not.toContain("ash.example");
});

test("it needs a recent proof, which leads back to the page of the deletion; technicians and unknown ids get nothing", async () => {
  expect((await thrownBy(fetchFile("org_missing"))).status).toBe(404);
  expect((await thrownBy(fetchFile(""))).status).toBe(404);
  const { ctx: technician } = await staffMember("moderator");
  expect((await thrownBy(fetchFile(id, technician))).status).toBe(404);
  base.clock.advance(minutes(11));
  const asked = await fetchFile(id);
  expect(decodeURIComponent(asked.headers.get("Location") ?? "")).toBe(
    `/profile/confirm?redirectTo=/admin/organizations/${id}/delete?organization=${id}&export=ready`,
  );
});
