import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import type { MemberActor } from "~/features/auth/guards.server";
import type { InviteOutcome } from "~/features/invitations/model";
import { inviteMembers } from "~/features/invitations/sending/invite-members.server";
import { otherOrganization } from "~/features/organizations/same-organization";
import { absentAsEmpty, type FormValues, type ValidationError } from "~/lib/form";
import { hours } from "~/lib/time";
import { type ActionResult, done, invalid, rateLimited } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { RoleChoice } from "../forms.server";
import type { SettableRole } from "../model";
import { EMAIL_REQUIRED, INVITE_ERRORS, invited, NOT_INVITED, TOO_MANY_ADDRESSES } from "./copy";
import { TEAM_PATH } from "./definition";

export const INVITE_PURPOSE = "team-invite";

/** Limits how many addresses are taken at a time. Each is a batch of its own. */
const MAX_ADDRESSES = 100;

/** Says why the form is shown again: which addresses were not invited, and how many were. */
export type InviteResult = {
  error: ValidationError;
  invitedCount: number;
  rejected: readonly { email: string; reason: string }[];
};

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const InviteForm = absentAsEmpty(
  ["emails", "role"],
  z.object({
    emails: z
      .string()
      .transform(addressesIn)
      .refine((emails) => emails.length > 0, EMAIL_REQUIRED)
      .refine((emails) => emails.length <= MAX_ADDRESSES, TOO_MANY_ADDRESSES),
    role: RoleChoice,
  }),
);

/** Reads the role that the form for invitations proposes. */
export async function findDefaultRole(db: Db, organizationId: string): Promise<SettableRole> {
  const row = await db.get<{ role: SettableRole } | undefined>(
    sql`SELECT default_role AS role FROM organizations WHERE id = ${organizationId}`,
  );
  return row?.role ?? "member";
}

const rejected = (errors: Record<string, string>, values: FormValues): InviteResult => ({
  error: { title: NOT_INVITED, errors, values },
  invitedCount: 0,
  rejected: [],
});

/**
 * Invites people to the organization by their addresses. Each stands for itself: those that are rejected are shown
 * again in the form, with the reason, while the others are invited.
 */
export const inviteActions = formActions<MemberActor, null, InviteResult>({
  intentField: null,
  conflict: otherOrganization,
})({
  invite: {
    ability: "member.invite",
    purpose: INVITE_PURPOSE,
    form: InviteForm,
    invalid: (problem) =>
      invalid(rejected(problem.code === "token" ? { form: NOT_INVITED } : problem.errors, problem.values)),
    run: async (ctx, actor, { input: { emails, role } }) => {
      const { organizationId, organizationName } = actor.membership;
      const organization = { id: organizationId, name: organizationName };
      const outcomes = await inviteMembers(ctx, { inviter: actor, organization, emails, role });
      const rejected = outcomes.flatMap(({ email, outcome }) => (outcome === "invited" ? [] : { email, outcome }));
      const count = outcomes.length - rejected.length;
      if (rejected.length === 0) return done({ to: TEAM_PATH, flash: { kind: "success", ...invited(count) } });
      return showAgain(ctx.now() + hours(1), { rejected, count, role });
    },
  },
});

type Rejected = { email: string; outcome: Exclude<InviteOutcome, "invited"> };

function showAgain(
  retryAt: number,
  { rejected, count, role }: { rejected: Rejected[]; count: number; role: SettableRole },
): ActionResult<InviteResult> {
  const [first] = rejected;
  const reasons = rejected.map(({ email, outcome }) => ({ email, reason: INVITE_ERRORS[outcome] }));
  const result: InviteResult = {
    error: {
      title: NOT_INVITED,
      errors: { emails: first ? INVITE_ERRORS[first.outcome] : NOT_INVITED },
      values: { emails: rejected.map(({ email }) => email).join("\n"), role },
    },
    invitedCount: count,
    // One address is said by the error of the field.
    rejected: rejected.length === 1 && count === 0 ? [] : reasons,
  };
  const isLimited = rejected.some(({ outcome }) => outcome === "limited");
  return isLimited && count === 0 ? rateLimited(retryAt, result) : invalid(result);
}
