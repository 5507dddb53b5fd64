import { ABILITY_SCOPES, type AbilityScope, type Actor, type Owned, type PolicyRole } from "./model";

type PolicyTable = Record<string, Partial<Record<PolicyRole, AbilityScope>>>;

// Rows that occur more than once.
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
 * Lists who may do what, and in which scope. A role that is not named is denied. `owner`, `org_admin` and `member` are
 * the roles in the current organization; `user` is every account without a staff role.
 *
 * The table does not depend on state: whether a ticket is still open, whether the sign-up policy allows people to create
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

/** Returns the scopes granted by the platform role and by the role in the current organization. They add up. */
function grantsOf(actor: Actor, ability: Ability): AbilityScope[] {
  const row: PolicyTable[string] = POLICY[ability];
  const membershipRole = actor.membership?.role;
  const organizationRole = membershipRole === "admin" ? "org_admin" : membershipRole;
  const grants = [row[actor.role], organizationRole && row[organizationRole]];
  return grants.filter((scope) => scope !== undefined);
}

/** Returns the widest scope in which the actor holds an ability, for queries of lists. Null: not held at all. */
export function abilityScope(actor: Actor, ability: Ability): AbilityScope | null {
  const grants = grantsOf(actor, ability);
  return ABILITY_SCOPES.findLast((scope) => grants.includes(scope)) ?? null;
}

/**
 * Tells whether the actor may do this to the object. Without an object: whether they hold the ability in any scope. That
 * is enough to show a link or to open an area, and never enough to change something.
 */
export function can(actor: Actor, ability: Ability, object?: Owned): boolean {
  const grants = grantsOf(actor, ability);
  return object ? grants.some((scope) => covers(actor, scope, object)) : grants.length > 0;
}

function covers(actor: Actor, scope: AbilityScope, object: Owned): boolean {
  if (scope === "any") return true;
  if (scope === "own") return object.ownerId === actor.userId;
  return actor.membership !== null && object.organizationId === actor.membership.organizationId;
}
