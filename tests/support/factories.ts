import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db, Statement } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { userMfaSettings } from "~/db/schema/security";
import { sessions } from "~/db/schema/sessions";
import { contactSubmissions } from "~/db/schema/submissions";
import type { MemberActor } from "~/features/auth/guards.server";
import { organizationTexts } from "~/features/organizations/model";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { submissionNameKey, submissionSearchText } from "~/features/submissions/model";
import { replyDueAt } from "~/features/submissions/reply-target";
import { nameColumns } from "~/features/users/model";
import type { ModerationReason } from "~/lib/moderation";
import { dayIn, hours } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { hashPassword, hashToken, newToken } from "~/platform/crypto.server";
import { encryptValue } from "~/platform/data-keys.server";
import { derive } from "./context";

export const PASSWORD = "Correct!Horse7battery";
export const TOTP_SECRET = "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU";

export type Person = { id: string; email: string; fullName: string; role: SignedIn["role"] };

type PersonOptions = {
  role?: SignedIn["role"];
  email?: string;
  fullName?: string;
  status?: "unverified" | "pending" | "active" | "deactivated";
  /** Tells whether the person gets a password, which only people who sign in with it need. */
  withPassword?: boolean;
  withTotp?: boolean;
};

let people = 0;
let storedPassword: string | undefined;

/** Returns `PASSWORD` as it is stored. Hashing takes a tenth of a second, so all people share one hash. */
function hashOfPassword(ctx: Ctx): string {
  storedPassword ??= hashPassword(ctx.config.PASSWORD_PEPPER_1, PASSWORD);
  return storedPassword;
}

/**
 * Has what factories below write leave in one batch instead of one by one: a round trip is most of what a row costs.
 * The factories may insert and not read.
 */
export async function together<Context extends Ctx, Made>(
  ctx: Context,
  make: (ctx: Context) => Promise<Made>,
): Promise<Made> {
  const statements: Statement[] = [];
  const insert = (table: Parameters<Db["insert"]>[0]) => ({
    values: (row: never) => {
      statements.push(ctx.db.insert(table).values(row));
    },
  });
  const made = await make(derive(ctx, { db: { insert } as unknown as Db }));
  await ctx.db.batch(statements as [Statement, ...Statement[]]);
  return made;
}

/** Creates a person with an account; unique in every call. */
export async function makePerson(ctx: Ctx, options: PersonOptions = {}): Promise<Person> {
  people += 1;
  const { role = "user", status = "active", withPassword = false, withTotp = false } = options;
  const id = ctx.newId("usr");
  const email = options.email ?? `person${people}@clinic.example`;
  const fullName = options.fullName ?? `Person ${people}`;
  const at = ctx.now();
  await ctx.db.insert(users).values({
    id,
    email,
    ...nameColumns(fullName),
    status,
    password_hash: withPassword ? hashOfPassword(ctx) : null,
    created_at: at,
    updated_at: at,
  });
  if (role !== "user") await ctx.db.insert(userRoles).values({ user_id: id, role });
  if (withTotp) {
    await ctx.db.insert(userMfaSettings).values({
      user_id: id,
      is_enabled: 1,
      totp_secret: encryptValue(ctx.config, `user_mfa_settings:totp_secret:${id}`, TOTP_SECRET),
      updated_at: at,
    });
  }
  return { id, email, fullName, role };
}

/** Creates a live session of the person; returns the cookie's value and what a request then knows. */
export async function makeSession(
  ctx: Ctx,
  person: Person,
  aal: 1 | 2 = 2,
): Promise<{ sessionId: string; signedIn: SignedIn }> {
  const sessionId = newToken();
  const at = ctx.now();
  await ctx.db.insert(sessions).values({
    id_hash: hashToken(sessionId),
    user_id: person.id,
    epoch: sql`(SELECT auth_epoch FROM users WHERE id = ${person.id})`,
    aal,
    created_at: at,
    last_seen_at: at,
    idle_expires_at: at + hours(0.5),
    abs_expires_at: at + hours(12),
    reauth_at: at,
    ip_prefix: "203.0.113.0",
  });
  // A session of this level is only ever started with a second factor.
  if (aal === 2) {
    await ctx.db
      .insert(userMfaSettings)
      .values({ user_id: person.id, is_enabled: 1, updated_at: at })
      .onConflictDoNothing();
  }
  return { sessionId, signedIn: signedInAs(person, at, hashToken(sessionId), aal) };
}

export const signedInAs = (
  person: Person,
  at: number,
  sessionHash = hashToken(newToken()),
  aal = 2,
): SignedIn & Actor => ({
  sessionHash,
  userId: person.id,
  email: person.email,
  fullName: person.fullName,
  role: person.role,
  membership: null,
  organizations: [],
  aal,
  mfaEnabled: aal === 2,
  mfaRequiredSince: null,
  mustChangePassword: false,
  codesUnsaved: false,
  shortcutsOff: false,
  reauthAt: at,
  lastSeenAt: at,
});

/** Returns the same context, with a person signed in. */
export function as<Context extends Ctx>(ctx: Context, person: Person): Context {
  return derive(ctx, { signedIn: signedInAs(person, ctx.now()) });
}

type Status = "new" | "contacted" | "resolved";
/** Starts far above what the counter gives out, so that created and submitted ones never have the same number. */
let submissions = 500_000;

/** Stores a submission as the form does. */
export async function makeSubmission(
  ctx: Ctx,
  options: {
    status?: Status;
    moderationReason?: ModerationReason;
    at?: number;
    firstName?: string;
    lastName?: string;
    email?: string;
    company?: string;
    replyDueAt?: number;
  } = {},
): Promise<{ id: string; number: number }> {
  submissions += 1;
  const at = options.at ?? ctx.now();
  const id = ctx.newId("sub");
  const { firstName = "Priya", lastName = "Raman", company = null } = options;
  const email = options.email ?? `priya${submissions}@larkspur.example`;
  await ctx.db.insert(contactSubmissions).values({
    id,
    number: submissions,
    first_name: firstName,
    last_name: lastName,
    email,
    company,
    message: "Eleven laptops and a slow lab.",
    status: options.status ?? "new",
    held_reason: options.moderationReason ?? null,
    consent_at: at,
    consent_terms_version: "2026-11-01",
    ip_hash: "test",
    search_text: submissionSearchText({ firstName, lastName, email, company }),
    name_key: submissionNameKey({ firstName, lastName }),
    submitted_on: dayIn(DEFAULT_SETTINGS.timeZone, at),
    reply_due_at: options.replyDueAt ?? replyDueAt(siteCalendar(DEFAULT_SETTINGS), at),
    created_at: at,
    updated_at: at,
  });
  return { id, number: submissions };
}

export async function makeOrganization(ctx: Ctx, name = "Larkspur Row"): Promise<{ id: string }> {
  const id = ctx.newId("org");
  const at = ctx.now();
  await ctx.db.insert(organizations).values({
    id,
    ...organizationTexts({ name, description: "" }),
    slug: id.replace(/_/g, "-"),
    created_at: at,
    updated_at: at,
  });
  return { id };
}

/** Makes somebody a member. `pending`: they have created the organization and wait for its review. */
export async function makeMember(
  ctx: Ctx,
  organizationId: string,
  person: Person,
  role: "owner" | "admin" | "member",
  status: "active" | "suspended" | "pending" = "active",
): Promise<{ id: string }> {
  const at = ctx.now();
  const id = ctx.newId("mem");
  await ctx.db.insert(organizationMemberships).values({
    id,
    organization_id: organizationId,
    user_id: person.id,
    role,
    status,
    joined_at: status === "pending" ? null : at,
    created_at: at,
    updated_at: at,
  });
  return { id };
}

/** Invites an address that has no account yet; nobody has accepted. */
export async function makeInvitedMember(
  ctx: Ctx,
  organizationId: string,
  { email, role = "member" }: { email: string; role?: "owner" | "admin" | "member" },
): Promise<{ id: string }> {
  const at = ctx.now();
  const id = ctx.newId("mem");
  await ctx.db.insert(organizationMemberships).values({
    id,
    organization_id: organizationId,
    role,
    status: "pending",
    invited_email: email,
    invited_at: at,
    created_at: at,
    updated_at: at,
  });
  return { id };
}

/** Returns a signed-in person who works in an organization, as the guards of the portal give them to commands. */
export function memberOf(
  ctx: Ctx,
  person: Person,
  organization: { id: string; name?: string },
  role: "owner" | "admin" | "member",
): MemberActor {
  const membership = { organizationId: organization.id, organizationName: organization.name ?? "Larkspur Row", role };
  return { ...signedInAs(person, ctx.now()), role: "user", membership };
}
