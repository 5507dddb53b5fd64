import { ABILITY_SCOPES, type AbilityScope, type Actor, type Owned, type PolicyRole } from "./model";

type PolicyTable = Record<string, Partial<Record<PolicyRole, AbilityScope>>>;

/*
 * Rows that occur more than once.
 */
const STAFF = { admin: "any", moderator: "any" } as const satisfies PolicyTable[string];
const ADMIN = { admin: "any" } as const satisfies PolicyTable[string];
const EVERY_MEMBER = {
  owner: "organization",
  org_admin: "organization",
  member: "organization",
} as const satisfies PolicyTable[string];
const ORGANIZATION_ADMINS = { owner: "organization", org_admin: "organization" } as const satisfies PolicyTable[string];
const MEMBER_OWN = { ...ORGANIZATION_ADMINS, member: "own" } as const satisfies PolicyTable[string];

/**
 * Who may do what, and how far. A role that is not named may not. `owner`, `org_admin` and `member` are the roles in
 * the current organization; `user` is every account without a staff role.
 *
 * The table says nothing about when: whether a ticket is still open, whether the sign-up policy lets people found
 * organizations or whether members see each other's tickets is decided by the command or the scope of the query.
 */
export const POLICY = {
  "ticket.view": { ...STAFF, ...EVERY_MEMBER },
  "ticket.reply": { ...STAFF, ...EVERY_MEMBER },
  "ticket.open": { ...STAFF, ...EVERY_MEMBER },
  "ticket.close": { ...STAFF, ...MEMBER_OWN },
  "ticket.resolve": { ...STAFF, ...MEMBER_OWN },
  "ticket.reopen": { ...STAFF, ...MEMBER_OWN },
  "ticket.keep_private": { owner: "own", org_admin: "own", member: "own" },
  "ticket.assign": STAFF,
  "ticket.prioritize": STAFF,
  "ticket.categorize": STAFF,
  "ticket.note": STAFF,

  "organization.view": { ...STAFF, ...EVERY_MEMBER },
  "organization.create": { ...ADMIN, owner: "own", org_admin: "own", member: "own", user: "own" },
  "organization.edit": { ...ADMIN, ...ORGANIZATION_ADMINS },
  "organization.set_visibility": { ...ADMIN, ...ORGANIZATION_ADMINS },
  "organization.require_mfa": { ...ADMIN, owner: "organization" },
  "organization.transfer": { ...ADMIN, owner: "organization" },
  "organization.set_plan": ADMIN,
  "organization.confirm_domain": ADMIN,
  "organization.delete": ADMIN,
  "organization.audit": { ...ADMIN, owner: "organization" },

  "member.list": { ...STAFF, ...ORGANIZATION_ADMINS },
  "member.invite": { ...ADMIN, ...ORGANIZATION_ADMINS },
  "member.change_role": { ...ADMIN, ...ORGANIZATION_ADMINS },
  "member.suspend": { ...ADMIN, ...ORGANIZATION_ADMINS },
  "member.remove": { ...ADMIN, ...ORGANIZATION_ADMINS },
  "member.export": { ...ADMIN, ...ORGANIZATION_ADMINS },

  "submission.view": STAFF,
  "submission.change_status": STAFF,
  "submission.assign": STAFF,
  "submission.reply": STAFF,
  "submission.release_held": STAFF,
  "submission.delete": ADMIN,
  "submission.export": ADMIN,

  "note.add": STAFF,
  "note.edit": { admin: "own", moderator: "own" },
  "note.delete": { admin: "any", moderator: "own" },

  "analytics.view": STAFF,
  "report.view": STAFF,
  "report.export": STAFF,
  "activity.view": STAFF,
  "activity.export": ADMIN,

  "canned_reply.personal": { admin: "own", moderator: "own" },
  "canned_reply.shared": ADMIN,

  "mail.view": STAFF,
  "mail.retry": STAFF,
  "mail.release_held": STAFF,

  "user.view": ADMIN,
  "user.invite": ADMIN,
  "user.change_role": ADMIN,
  "user.deactivate": ADMIN,
  "user.reset_mfa": ADMIN,

  "security.view": ADMIN,
  "security.acknowledge": ADMIN,
  "security.unlock": ADMIN,

  "settings.change": ADMIN,
  "quote.manage": ADMIN,
  "import.run": ADMIN,
  "privacy.erase": ADMIN,
  "export.full": ADMIN,

  "live.staff": STAFF,
} as const satisfies PolicyTable;

export type Ability = keyof typeof POLICY;

/** What the platform role and the role in the current organization give, one after the other: they add up. */
function grantsOf(actor: Actor, ability: Ability): AbilityScope[] {
  const row: PolicyTable[string] = POLICY[ability];
  const membershipRole = actor.membership?.role;
  const inOrganization = membershipRole === "admin" ? "org_admin" : membershipRole;
  const grants = [row[actor.role], inOrganization && row[inOrganization]];
  return grants.filter((reach) => reach !== undefined);
}

/** The widest reach of an ability, for lists: a query turns it into its scope. Null means that it is not held at all. */
export function abilityScope(actor: Actor, ability: Ability): AbilityScope | null {
  const grants = grantsOf(actor, ability);
  return ABILITY_SCOPES.findLast((reach) => grants.includes(reach)) ?? null;
}

/**
 * Whether the actor may do this to the object. Without an object the question is whether there is anything they might
 * do it to, which is enough for showing a link and for opening an area, and never enough for changing something.
 */
export function can(actor: Actor, ability: Ability, object?: Owned): boolean {
  const grants = grantsOf(actor, ability);
  return object ? grants.some((reach) => covers(actor, reach, object)) : grants.length > 0;
}

function covers(actor: Actor, reach: AbilityScope, object: Owned): boolean {
  if (reach === "any") return true;
  if (reach === "own") return object.ownerId === actor.userId;
  return actor.membership !== null && object.organizationId === actor.membership.organizationId;
}
