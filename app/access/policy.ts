import type { SubjectType } from "~/lib/subject";
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
const ORGANIZATION_ADMINS = {
  admin: "any",
  owner: "organization",
  org_admin: "organization",
} as const satisfies PolicyTable[string];
const ORGANIZATION_OWNER = { admin: "any", owner: "organization" } as const satisfies PolicyTable[string];

/**
 * Lists who may do what, and in which scope. A role that is not named is denied. `moderator` is what people call a
 * technician; `user` is every account without a staff role. `owner`, `org_admin` and `member` are the roles in the
 * current organization.
 *
 * The table does not depend on state: whether a ticket is still open, whether the sign-up policy allows people to
 * create organizations or whether members see each other's tickets is decided by the command or the scope of the query.
 */
export const POLICY = {
  "ticket.view": { ...STAFF, ...EVERY_MEMBER },
  // Staff open tickets for clients.
  "ticket.open": { ...STAFF, ...EVERY_MEMBER },
  "ticket.reply": { ...STAFF, ...EVERY_MEMBER },
  // Solving, closing, reopening, privacy and the people on it. Which change a client may make now: `clientTransitions`.
  "ticket.change": { ...STAFF, owner: "organization", org_admin: "organization", member: "own" },
  // Any status, priority, category, assignee, organization, allowances, and reading and writing internal notes: a
  // client never gets one, see features/conversation/internal-notes.server.ts.
  "ticket.handle": STAFF,
  // Sending a reply that a colleague has mailed and nothing proves. Everybody may send their own.
  "ticket.send_for_others": ADMIN,
  "ticket.export": ADMIN,
  // Shared replies are everybody's: who may edit any may edit these.
  "canned_reply.edit": { admin: "any", moderator: "own" },

  "organization.view": { ...STAFF, ...EVERY_MEMBER },
  "organization.edit": ORGANIZATION_ADMINS,
  "organization.require_mfa": ORGANIZATION_OWNER,
  "organization.transfer": ORGANIZATION_OWNER,
  "organization.audit": ORGANIZATION_OWNER,
  // All of it, to take along.
  "organization.archive": ORGANIZATION_OWNER,
  // Creating one for a client, its plan and its domains. Clients create their own by the sign-up policy.
  "organization.manage": ADMIN,
  "organization.delete": ADMIN,

  "member.list": { moderator: "any", ...ORGANIZATION_ADMINS },
  "member.invite": ORGANIZATION_ADMINS,
  // Role, suspension and removal; never of the owner.
  "member.change": ORGANIZATION_ADMINS,
  "member.export": ORGANIZATION_ADMINS,

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
  "activity.view": STAFF,
  "activity.export": ADMIN,

  "report.view": STAFF,
  "report.export": STAFF,

  // Drafts of letters to clients, and their release.
  "letter.handle": STAFF,
  // What was released, for those who manage the organization.
  "letter.read": { owner: "organization", org_admin: "organization" },

  "user.view": ADMIN,
  "user.invite": ADMIN,
  "user.change_role": ADMIN,
  // Deactivating, ending sessions, resetting the second factor, unlocking.
  "user.manage_access": ADMIN,

  "security.view": ADMIN,
  "security.acknowledge": ADMIN,

  "settings.change": ADMIN,
  // Looking up, exporting and erasing what is stored about a person, legal holds, and everything as files.
  "privacy.manage": ADMIN,
  "import.run": ADMIN,

  "live.staff": STAFF,

  // The layout of the admin area, and addresses that serve several lists or subjects: these check the ability of each.
  "admin.open": STAFF,
} as const satisfies PolicyTable;

export type Ability = keyof typeof POLICY;

/** Names the scopes in which the table grants an ability to anybody. */
export type GrantedScope<Granted extends Ability> = Extract<
  { [Name in Granted]: (typeof POLICY)[Name][keyof (typeof POLICY)[Name]] }[Granted],
  AbilityScope
>;

/** Returns the scopes granted by the platform role and by the role in the current organization. They add up. */
function grantsOf(actor: Actor, ability: Ability): AbilityScope[] {
  const row: PolicyTable[string] = POLICY[ability];
  const membershipRole = actor.membership?.role;
  const organizationRole = membershipRole === "admin" ? "org_admin" : membershipRole;
  const grants = [row[actor.role], organizationRole && row[organizationRole]];
  return grants.filter((scope) => scope !== undefined);
}

/**
 * Returns the widest scope in which the actor holds an ability, which limits the rows of lists. Null: not held at all.
 */
export function abilityScope(actor: Actor, ability: Ability): AbilityScope | null {
  const grants = grantsOf(actor, ability);
  return ABILITY_SCOPES.findLast((scope) => grants.includes(scope)) ?? null;
}

/**
 * Tells whether the actor may do this to the object. Without an object: whether they hold the ability in any scope.
 * That is enough to show a link or to open an area, and never enough to change something.
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

export type SubjectKind = {
  /** Names the type in a sentence, as in "Open the submission". */
  noun: string;
  /** Holds the prefix of its ids: `sub` in `sub_01JD…`. */
  idPrefix: string;
  ability: Ability;
  pages: Partial<Record<"staff" | "client", (id: string) => string>>;
  listPath?: string;
};

export type SubjectKinds = Record<SubjectType, SubjectKind>;
