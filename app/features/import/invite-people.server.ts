import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { commit, type Statement } from "~/db/client.server";
import { contactInvitations } from "~/db/schema/organizations";
import type { StaffActor } from "~/features/auth/guards.server";
import { isNotErased } from "~/features/contacts/queries.server";
import { isAdmin } from "~/features/invitations/invite-permissions.server";
import type { InviteOutcome, Inviter } from "~/features/invitations/model";
import { invitationStates } from "~/features/invitations/queries.server";
import { inviteMembers } from "~/features/invitations/sending.server";
import { getSettings } from "~/features/settings/queries.server";
import { ok } from "~/lib/errors";
import { isId } from "~/lib/ids";
import { addDays, dayIn, startOfDay } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, formTokens, rejectButton } from "~/platform/form-actions.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limits.server";
import { done } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { CHOOSE_PEOPLE, NOT_INVITED } from "./labels";
import { INVITE_PEOPLE_PATH, invitePeoplePath } from "./paths";

const ORGANIZATIONS_SHOWN = 50;
const PEOPLE_SHOWN = 100;

/** Who came by a mail of their own is looked at first. */
const IS_INVITABLE: SQL = sql`c.refused_at IS NULL AND c.needs_review_at IS NULL AND ${isNotErased(sql`c.id`)}`;

const OPEN_MEMBERSHIP: SQL = sql`(SELECT m.id FROM organization_memberships m WHERE m.organization_id = c.organization_id
  AND m.invited_email = c.email AND m.status = 'pending')`;

/** Lists the organizations that have people without an account, and the people of one. */
export async function readPeople(ctx: Ctx, actor: StaffActor) {
  const { searchParams } = ctx.request.url;
  const idOf = (name: string, kind: "org" | "con") => {
    const id = searchParams.get(name) ?? "";
    return isId(kind, id) ? id : null;
  };
  const chosen = idOf("organization", "org");
  const [{ timeZone: zone }, [waiting], organizations, people] = await Promise.all([
    getSettings(ctx.db),
    ctx.db.all<{ count: number; next: number | null }>(
      sql`SELECT count(*) AS count, min(due_at) AS next FROM contact_invitations WHERE due_at IS NOT NULL`,
    ),
    chosen ? null : listOrganizations(ctx, idOf("after", "org")),
    chosen ? listPeople(ctx, chosen, idOf("after", "con")) : null,
  ]);
  return {
    zone,
    waiting: waiting?.count ?? 0,
    /** Until when the rest waits; null: it is being sent. */
    waitsUntil: waiting?.next && waiting.next > ctx.now() ? waiting.next : null,
    organizations,
    people,
    tokens: formTokens(ctx, actor, peopleActions),
  };
}

async function listOrganizations({ db }: Ctx, after: string | null) {
  const rows = await db.all<{ id: string; name: string; people: number }>(sql`
    SELECT o.id, o.name, (SELECT count(*) FROM contacts c WHERE c.organization_id = o.id AND ${IS_INVITABLE}) AS people
    FROM organizations o WHERE EXISTS (SELECT 1 FROM contacts c WHERE c.organization_id = o.id AND ${IS_INVITABLE})
      AND (${after} IS NULL OR (o.name_key, o.id) > (SELECT name_key, id FROM organizations WHERE id = ${after}))
    ORDER BY o.name_key, o.id LIMIT ${ORGANIZATIONS_SHOWN + 1}`);
  return firstOf(rows, ORGANIZATIONS_SHOWN);
}

const firstOf = <Row extends { id: string }>(rows: readonly Row[], limit: number) => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
});

type PersonRow = {
  id: string;
  name: string;
  email: string;
  dueAt: number | null;
  outcome: InviteOutcome | null;
  membershipId: string | null;
};

async function listPeople({ db, now }: Ctx, organizationId: string, after: string | null) {
  const [[organization], found] = await Promise.all([
    db.all<{ id: string; name: string; free: number; waiting: number }>(sql`
      SELECT id, name, (SELECT count(*) FROM contacts c WHERE c.organization_id = o.id AND ${IS_INVITABLE}
          AND ${OPEN_MEMBERSHIP} IS NULL
          AND NOT EXISTS (SELECT 1 FROM contact_invitations w WHERE w.contact_id = c.id AND w.due_at IS NOT NULL)) AS free,
        (SELECT count(*) FROM contact_invitations w WHERE w.organization_id = o.id AND w.due_at IS NOT NULL) AS waiting
      FROM organizations o WHERE id = ${organizationId}`),
    db.all<PersonRow>(sql`
      SELECT c.id, c.full_name AS name, c.email, w.due_at AS dueAt, w.outcome, ${OPEN_MEMBERSHIP} AS membershipId
      FROM contacts c LEFT JOIN contact_invitations w ON w.contact_id = c.id
      WHERE c.organization_id = ${organizationId} AND ${IS_INVITABLE}
        AND (${after} IS NULL OR (c.full_name, c.id) > (SELECT full_name, id FROM contacts WHERE id = ${after}))
      ORDER BY c.full_name, c.id LIMIT ${PEOPLE_SHOWN + 1}`),
  ]);
  if (!organization) return null;
  const { rows, next } = firstOf(found, PEOPLE_SHOWN);
  const sent = await invitationStates(
    db,
    { membership: rows.flatMap(({ membershipId }) => membershipId ?? []) },
    now(),
  );
  return {
    organization,
    next,
    rows: rows.map(({ membershipId, dueAt, ...row }) => ({
      ...row,
      isWaiting: dueAt !== null,
      waitsUntil: dueAt !== null && dueAt > now() ? dueAt : null,
      invitation: membershipId === null ? null : (sent.get(membershipId) ?? null),
      isFree: dueAt === null && membershipId === null,
    })),
  };
}

const PeopleForm = z.object({
  organization: z.string().refine((id) => isId("org", id)),
  all: z.literal("1").optional(),
});

type PeopleAction = FormAction<StaffActor, null, never, z.output<typeof PeopleForm>>;

const form = {
  ability: "import.run",
  form: PeopleForm,
  invalid: (problem, { fields: { organization = "" } }) =>
    rejectButton(isId("org", organization) ? invitePeoplePath(organization) : INVITE_PEOPLE_PATH, problem, NOT_INVITED),
} as const satisfies Partial<PeopleAction>;

/** A change of what waits, if its author still may. */
async function change(
  ctx: Ctx,
  { userId }: StaffActor,
  { nonce, id, statement }: { nonce: string; id: string; statement: Statement },
): Promise<boolean> {
  const changed = await runCommand(
    ctx,
    { scope: "invite-people", key: `${nonce}:${id}` },
    {
      read: async () => null,
      plan: (): Planned<"denied"> =>
        ok({
          resultId: id,
          expects: [{ that: isAdmin(userId), otherwise: "denied" }],
          statements: [statement],
        }),
    },
  );
  return changed.ok;
}

export const peopleActions = formActions<StaffActor, null, never>({
  reading: { lists: ["person"] },
  failed: NOT_INVITED,
})({
  invite: {
    ...form,
    purpose: "invite-people",
    run: async (ctx, actor, { input: { organization, all }, lists: { person = [] }, nonce }) => {
      const to = invitePeoplePath(organization);
      const among = all ? sql`1` : sql`c.id IN (SELECT value FROM json_each(${JSON.stringify(person)}))`;
      if (!all && person.length === 0)
        return done({ to, flash: { kind: "error", title: "Error", message: CHOOSE_PEOPLE } });
      const isChosen = await change(ctx, actor, {
        nonce,
        id: organization,
        statement: ctx.db
          .insert(contactInvitations)
          .select(sql`
            SELECT c.id, c.organization_id, ${actor.userId}, ${ctx.now()}, NULL FROM contacts c
            WHERE c.organization_id = ${organization} AND ${among} AND ${IS_INVITABLE} AND ${OPEN_MEMBERSHIP} IS NULL`)
          .onConflictDoUpdate({
            target: contactInvitations.contact_id,
            set: { chosen_by: actor.userId, due_at: ctx.now(), outcome: null },
            setWhere: sql`${contactInvitations.due_at} IS NULL`,
          }),
      });
      if (!isChosen) return done({ to, flash: { kind: "error", title: "Error", message: NOT_INVITED } });
      ctx.after(inviteChosenPeople(ctx));
      return done({ to });
    },
  },
  stop: {
    ...form,
    purpose: "invite-people-stop",
    run: async (ctx, actor, { input: { organization }, nonce }) => {
      await change(ctx, actor, {
        nonce,
        id: `stop:${organization}`,
        statement: ctx.db
          .delete(contactInvitations)
          .where(sql`organization_id = ${organization} AND due_at IS NOT NULL`),
      });
      return done({ to: invitePeoplePath(organization) });
    },
  },
});

const SLICE = 10;

/** Ends the part that one invocation does: the platform ends it at 1,000 statements. */
const STATEMENTS_AT_ONCE = 400;

type Waiting = { id: string; email: string; dueAt: number; organizationId: string; organization: string } & Pick<
  Inviter,
  "userId" | "fullName"
> & { inviterEmail: string; isAdmin: number };

/** Sends what was chosen. After as many as one day may have, the rest goes on the day after, by itself. */
export async function inviteChosenPeople(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const before = ctx.cost.queries;
  const [due] = await ctx.db.all(sql`SELECT 1 FROM contact_invitations WHERE due_at <= ${ctx.now()} LIMIT 1`);
  if (!due) return { count: 0, more: false };
  // Who was erased or refused since.
  await ctx.db.delete(contactInvitations).where(sql`due_at <= ${ctx.now()}
    AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.id = contact_id AND ${IS_INVITABLE})`);
  for (let count = 0; ; ) {
    const isOver = ctx.budget.isUsedUp() || ctx.cost.queries - before > STATEMENTS_AT_ONCE;
    const waiting = isOver ? [] : await findWaiting(ctx);
    if (waiting.length === 0) return { count, more: isOver };
    for (const person of waiting) {
      if (!(await invite(ctx, person))) return { count, more: false };
      count += 1;
    }
  }
}

const findWaiting = ({ db, now }: Ctx): Promise<Waiting[]> =>
  db.all<Waiting>(sql`
    SELECT c.id, c.email, w.due_at AS dueAt, o.id AS organizationId, o.name AS organization, w.chosen_by AS userId,
      coalesce(u.full_name, '') AS fullName, coalesce(u.email, '') AS inviterEmail,
      ${isAdmin(sql`w.chosen_by`)} AS isAdmin
    FROM contact_invitations w CROSS JOIN contacts c ON c.id = w.contact_id
    CROSS JOIN organizations o ON o.id = c.organization_id LEFT JOIN users u ON u.id = w.chosen_by
    WHERE w.due_at <= ${now()} AND ${IS_INVITABLE} ORDER BY w.due_at, w.organization_id LIMIT ${SLICE}`);

/** False: no more today. */
async function invite(ctx: Ctx, person: Waiting): Promise<boolean> {
  const { db, now } = ctx;
  const { timeZone } = await getSettings(db);
  const today = dayIn(timeZone, now());
  const tomorrow = startOfDay(timeZone, addDays(today, 1));
  if (!(await takeLimit(db, "invite_batch", today, now())).allowed) {
    await db.update(contactInvitations).set({ due_at: tomorrow }).where(sql`due_at <= ${now()}`);
    return false;
  }
  const { id, email, userId, fullName, inviterEmail, organizationId, organization } = person;
  const [invited] = await inviteMembers(ctx, {
    inviter: { userId, fullName, email: inviterEmail, role: person.isAdmin === 1 ? "admin" : "user", membership: null },
    organization: { id: organizationId, name: organization },
    emails: [email],
    role: "member",
    isBatch: true,
  });
  const outcome = invited?.outcome ?? "invalid";
  await commit(db, [
    db
      .update(contactInvitations)
      .set(outcome === "limited" ? { due_at: tomorrow } : { due_at: null, outcome })
      .where(sql`contact_id = ${id} AND due_at = ${person.dueAt}`),
    ...(outcome === "invited" ? [] : [giveBackLimit(db, "invite_batch", today)]),
  ]);
  return true;
}
