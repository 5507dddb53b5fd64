import { describe, expect, test } from "vitest";
import { type Actor, platformRole } from "~/access/model";
import { type Ability, can, POLICY } from "~/access/policy";

const HERE = "org_here";
const inOrganization = (role: "owner" | "admin" | "member"): Actor => ({
  userId: `usr_${role}`,
  role: "user",
  membership: { organizationId: HERE, role },
});
const onPlatform = (role: "admin" | "moderator" | "user"): Actor => ({ userId: `usr_${role}`, role, membership: null });

/** Lists the columns of the matrix below, in this order. */
const PERSONAS: Actor[] = [
  onPlatform("user"),
  inOrganization("member"),
  inOrganization("admin"),
  inOrganization("owner"),
  onPlatform("moderator"),
  onPlatform("admin"),
];
const NAMES = ["a person without an organization", "a member", "an org admin", "an owner", "a moderator", "an admin"];

/** Abbreviates a scope. "–": not held. */
type Mark = "–" | "own" | "org" | "any";

//                                   user   member  org admin  owner  moderator  admin
const MATRIX: Record<Ability, [Mark, Mark, Mark, Mark, Mark, Mark]> = {
  "ticket.view": ["–", "org", "org", "org", "any", "any"],
  "ticket.open": ["–", "org", "org", "org", "any", "any"],
  "ticket.reply": ["–", "org", "org", "org", "any", "any"],
  "ticket.change": ["–", "own", "org", "org", "any", "any"],
  "ticket.handle": ["–", "–", "–", "–", "any", "any"],
  "ticket.send_for_others": ["–", "–", "–", "–", "–", "any"],
  "ticket.export": ["–", "–", "–", "–", "–", "any"],
  "canned_reply.edit": ["–", "–", "–", "–", "own", "any"],
  "organization.view": ["–", "org", "org", "org", "any", "any"],
  "organization.edit": ["–", "–", "org", "org", "–", "any"],
  "organization.require_mfa": ["–", "–", "–", "org", "–", "any"],
  "organization.transfer": ["–", "–", "–", "org", "–", "any"],
  "organization.audit": ["–", "–", "–", "org", "–", "any"],
  "organization.archive": ["–", "–", "–", "org", "–", "any"],
  "organization.manage": ["–", "–", "–", "–", "–", "any"],
  "organization.delete": ["–", "–", "–", "–", "–", "any"],
  "member.list": ["–", "–", "org", "org", "any", "any"],
  "member.invite": ["–", "–", "org", "org", "–", "any"],
  "member.change": ["–", "–", "org", "org", "–", "any"],
  "member.export": ["–", "–", "org", "org", "–", "any"],
  "submission.view": ["–", "–", "–", "–", "any", "any"],
  "submission.change_status": ["–", "–", "–", "–", "any", "any"],
  "submission.assign": ["–", "–", "–", "–", "any", "any"],
  "submission.reply": ["–", "–", "–", "–", "any", "any"],
  "submission.release_held": ["–", "–", "–", "–", "any", "any"],
  "submission.delete": ["–", "–", "–", "–", "–", "any"],
  "submission.export": ["–", "–", "–", "–", "–", "any"],
  "note.add": ["–", "–", "–", "–", "any", "any"],
  "note.edit": ["–", "–", "–", "–", "own", "own"],
  "note.delete": ["–", "–", "–", "–", "own", "any"],
  "analytics.view": ["–", "–", "–", "–", "any", "any"],
  "activity.view": ["–", "–", "–", "–", "any", "any"],
  "activity.export": ["–", "–", "–", "–", "–", "any"],
  "report.view": ["–", "–", "–", "–", "any", "any"],
  "report.export": ["–", "–", "–", "–", "any", "any"],
  "letter.handle": ["–", "–", "–", "–", "any", "any"],
  "letter.read": ["–", "–", "org", "org", "–", "–"],
  "user.view": ["–", "–", "–", "–", "–", "any"],
  "user.invite": ["–", "–", "–", "–", "–", "any"],
  "user.change_role": ["–", "–", "–", "–", "–", "any"],
  "user.manage_access": ["–", "–", "–", "–", "–", "any"],
  "security.view": ["–", "–", "–", "–", "–", "any"],
  "security.acknowledge": ["–", "–", "–", "–", "–", "any"],
  "settings.change": ["–", "–", "–", "–", "–", "any"],
  "privacy.manage": ["–", "–", "–", "–", "–", "any"],
  "import.run": ["–", "–", "–", "–", "–", "any"],
  "live.staff": ["–", "–", "–", "–", "any", "any"],
  "admin.open": ["–", "–", "–", "–", "any", "any"],
};

const CASES = Object.entries(MATRIX).flatMap(([ability, marks]) =>
  PERSONAS.map((actor, index) => ({
    ability: ability as Ability,
    actor,
    name: NAMES[index] ?? "",
    mark: marks[index] as Mark,
  })),
);

test("the matrix contains every ability of the policy", () => {
  expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(POLICY).sort());
});

describe.each(CASES)("$ability: $name has $mark", ({ ability, actor, mark }) => {
  const own = { ownerId: actor.userId, organizationId: HERE };
  const colleagues = { ownerId: "usr_colleague", organizationId: HERE };
  const foreign = { ownerId: "usr_stranger", organizationId: "org_elsewhere" };

  test("the scope covers the right objects", () => {
    expect(can(actor, ability)).toBe(mark !== "–");
    expect(can(actor, ability, own)).toBe(mark !== "–");
    expect(can(actor, ability, colleagues)).toBe(mark === "org" || mark === "any");
    expect(can(actor, ability, foreign)).toBe(mark === "any");
    expect(can(actor, ability, {})).toBe(mark === "any");
  });
});

test("platform and organization abilities add up for someone who has both", () => {
  const both: Actor = { userId: "usr_both", role: "moderator", membership: { organizationId: HERE, role: "owner" } };
  expect(can(both, "ticket.view", { organizationId: "org_elsewhere" })).toBe(true);
  expect(can(both, "note.edit", { ownerId: "usr_both" })).toBe(true);
  expect(can(both, "user.view")).toBe(false);
});

test.each([null, "", "Admin", "superuser", "constructor"])("the stored role %j counts as user", (text) => {
  expect(platformRole(text)).toBe("user");
});
