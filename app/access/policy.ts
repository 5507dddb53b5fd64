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

/**
 * Who may do what, and how far. A role that is not named may not. `owner`, `org_admin` and `member` are the roles in
 * the current organization; `user` is every account without a staff role.
 *
 * The table says nothing about when: whether a ticket is still open, whether the sign-up policy lets people found
 * organizations or whether members see each other's tickets is decided by the command or the scope of the query.
 */
export const POLICY = {
  "ticket.view": { ...STAFF, ...EVERY_MEMBER },

  "organization.view": { ...STAFF, ...EVERY_MEMBER },
  "organization.require_mfa": { ...ADMIN, owner: "organization" },

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

  "activity.view": STAFF,

  "user.view": ADMIN,

  "security.view": ADMIN,

  "settings.change": ADMIN,

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
