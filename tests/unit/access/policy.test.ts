import { describe, expect, test } from "vitest";
import { type AbilityScope, type Actor, platformRole } from "~/access/model";
import { type Ability, abilityScope, can, POLICY } from "~/access/policy";

const HERE = "org_here";
const inOrganization = (role: "owner" | "admin" | "member"): Actor => ({
  userId: `usr_${role}`,
  role: "user",
  membership: { organizationId: HERE, role },
});
const onPlatform = (role: "admin" | "moderator" | "user"): Actor => ({ userId: `usr_${role}`, role, membership: null });

/** The columns of the matrix below, in this order. */
const PERSONAS: Actor[] = [
  onPlatform("user"),
  inOrganization("member"),
  inOrganization("admin"),
  inOrganization("owner"),
  onPlatform("moderator"),
  onPlatform("admin"),
];
const NAMES = ["a person without an organization", "a member", "an org admin", "an owner", "a moderator", "an admin"];

/** "–" nothing, "own", "org" the current organization, "any". */
type Mark = "–" | "own" | "org" | "any";
const REACH: Record<Mark, AbilityScope | null> = { "–": null, own: "own", org: "organization", any: "any" };

//                                   user   member  org admin  owner  moderator  admin
const MATRIX: Record<Ability, [Mark, Mark, Mark, Mark, Mark, Mark]> = {
  "ticket.view": ["–", "org", "org", "org", "any", "any"],
  "ticket.reply": ["–", "org", "org", "org", "any", "any"],
  "ticket.open": ["–", "org", "org", "org", "any", "any"],
  "ticket.close": ["–", "own", "org", "org", "any", "any"],
  "ticket.resolve": ["–", "own", "org", "org", "any", "any"],
  "ticket.reopen": ["–", "own", "org", "org", "any", "any"],
  "ticket.keep_private": ["–", "own", "own", "own", "–", "–"],
  "ticket.assign": ["–", "–", "–", "–", "any", "any"],
  "ticket.prioritize": ["–", "–", "–", "–", "any", "any"],
  "ticket.categorize": ["–", "–", "–", "–", "any", "any"],
  "ticket.note": ["–", "–", "–", "–", "any", "any"],
  "organization.view": ["–", "org", "org", "org", "any", "any"],
  "organization.create": ["own", "own", "own", "own", "–", "any"],
  "organization.edit": ["–", "–", "org", "org", "–", "any"],
  "organization.set_visibility": ["–", "–", "org", "org", "–", "any"],
  "organization.require_mfa": ["–", "–", "–", "org", "–", "any"],
  "organization.transfer": ["–", "–", "–", "org", "–", "any"],
  "organization.set_plan": ["–", "–", "–", "–", "–", "any"],
  "organization.confirm_domain": ["–", "–", "–", "–", "–", "any"],
  "organization.delete": ["–", "–", "–", "–", "–", "any"],
  "organization.audit": ["–", "–", "–", "org", "–", "any"],
  "member.list": ["–", "–", "org", "org", "any", "any"],
  "member.invite": ["–", "–", "org", "org", "–", "any"],
  "member.change_role": ["–", "–", "org", "org", "–", "any"],
  "member.suspend": ["–", "–", "org", "org", "–", "any"],
  "member.remove": ["–", "–", "org", "org", "–", "any"],
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
  "report.view": ["–", "–", "–", "–", "any", "any"],
  "report.export": ["–", "–", "–", "–", "any", "any"],
  "activity.view": ["–", "–", "–", "–", "any", "any"],
  "activity.export": ["–", "–", "–", "–", "–", "any"],
  "canned_reply.personal": ["–", "–", "–", "–", "own", "own"],
  "canned_reply.shared": ["–", "–", "–", "–", "–", "any"],
  "mail.view": ["–", "–", "–", "–", "any", "any"],
  "mail.retry": ["–", "–", "–", "–", "any", "any"],
  "mail.release_held": ["–", "–", "–", "–", "any", "any"],
  "user.view": ["–", "–", "–", "–", "–", "any"],
  "user.invite": ["–", "–", "–", "–", "–", "any"],
  "user.change_role": ["–", "–", "–", "–", "–", "any"],
  "user.deactivate": ["–", "–", "–", "–", "–", "any"],
  "user.reset_mfa": ["–", "–", "–", "–", "–", "any"],
  "security.view": ["–", "–", "–", "–", "–", "any"],
  "security.acknowledge": ["–", "–", "–", "–", "–", "any"],
  "security.unlock": ["–", "–", "–", "–", "–", "any"],
  "settings.change": ["–", "–", "–", "–", "–", "any"],
  "quote.manage": ["–", "–", "–", "–", "–", "any"],
  "import.run": ["–", "–", "–", "–", "–", "any"],
  "privacy.erase": ["–", "–", "–", "–", "–", "any"],
  "export.full": ["–", "–", "–", "–", "–", "any"],
  "live.staff": ["–", "–", "–", "–", "any", "any"],
};

const CASES = Object.entries(MATRIX).flatMap(([ability, marks]) =>
  PERSONAS.map((actor, place) => ({
    ability: ability as Ability,
    actor,
    name: NAMES[place] ?? "",
    mark: marks[place] as Mark,
  })),
);

test("every ability of the policy stands in the matrix", () => {
  expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(POLICY).sort());
});

describe.each(CASES)("$ability: $name has $mark", ({ ability, actor, mark }) => {
  const own = { ownerId: actor.userId, organizationId: HERE };
  const colleagues = { ownerId: "usr_colleague", organizationId: HERE };
  const foreign = { ownerId: "usr_stranger", organizationId: "org_elsewhere" };

  test("reach, and what it covers", () => {
    expect(abilityScope(actor, ability)).toBe(REACH[mark]);
    expect(can(actor, ability)).toBe(mark !== "–");
    expect(can(actor, ability, own)).toBe(mark !== "–");
    expect(can(actor, ability, colleagues)).toBe(mark === "org" || mark === "any");
    expect(can(actor, ability, foreign)).toBe(mark === "any");
    expect(can(actor, ability, {})).toBe(mark === "any");
  });
});

test("platform and organization abilities add up for someone who has both", () => {
  const both: Actor = { userId: "usr_both", role: "moderator", membership: { organizationId: HERE, role: "owner" } };
  expect(abilityScope(both, "ticket.view")).toBe("any");
  expect(abilityScope(both, "member.invite")).toBe("organization");
  expect(can(both, "note.edit", { ownerId: "usr_both" })).toBe(true);
  expect(can(both, "ticket.keep_private", { ownerId: "usr_both", organizationId: HERE })).toBe(true);
  expect(can(both, "user.view")).toBe(false);
});

test.each([null, "", "Admin", "superuser", "constructor"])("the stored role %j counts as user", (text) => {
  expect(platformRole(text)).toBe("user");
});
