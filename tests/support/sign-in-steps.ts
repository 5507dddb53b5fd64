import { and, eq, isNull } from "drizzle-orm";
import { sessions } from "~/db/schema/sessions";
import { startChallenge } from "~/features/auth/factor-commands.server";
import type { ProvenPerson } from "~/features/auth/model";
import type { TestContext } from "./context";
import type { Person } from "./factories";

/** Returns a person whose password was right. */
export const proven = (person: Person, changes: Partial<ProvenPerson> = {}): ProvenPerson => ({
  userId: person.id,
  email: person.email,
  fullName: person.fullName,
  role: person.role,
  epoch: 0,
  mfaEnabled: false,
  mfaRequiredSince: null,
  ...changes,
});

type Challenge = { kind?: "verify" | "setup"; redirectTo?: string | null };

/** Completes the password step and returns the challenge id. */
export async function challenged(
  ctx: TestContext,
  person: ProvenPerson,
  { kind = "verify", redirectTo = null }: Challenge = {},
): Promise<string> {
  ctx.cookiesSet.length = 0;
  await startChallenge(ctx, person, { kind, redirectTo });
  return ctx.cookiesSet[0]?.match(/^__Host-mfa=([\w-]{43});/)?.[1] ?? "";
}

/** Reads the sessions of a person that are not revoked. */
export const liveSessionsOf = (ctx: TestContext, person: Person) =>
  ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, person.id), isNull(sessions.revoked_at)));
