import { type ActivityEntry, activityEntry } from "~/features/audit/activity/activity-entry";
import type { StaffActor } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { listOpenSessions } from "~/features/auth/queries.server";
import { invitationStates } from "~/features/invitations/queries.server";
import { MEMBERS_PATH } from "~/features/members/list/definition";
import { getSettings } from "~/features/settings/queries.server";
import { withParams } from "~/lib/addresses";
import { safePath } from "~/lib/safe-path";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { staffPathOf } from "~/platform/subjects.server";
import { PERSON_PURPOSE } from "./actions.server";
import { actionsFor, PERSON_ACTIONS } from "./model";
import { findPersonAccount, HISTORY_PAGE, listHistory, listMemberships, MEMBERSHIPS_SHOWN } from "./queries.server";

/** Reads everything the page of an account shows, in one round trip. Null when there is none of that id. */
export async function readPerson(ctx: Ctx, actor: StaffActor, userId: string) {
  const { db, now, subjects, request } = ctx;
  const { searchParams: query } = request.url;
  const [account, sessions, memberships, events, invitations, { timeZone: zone }] = await Promise.all([
    findPersonAccount(db, userId, now()),
    listOpenSessions(db, userId, now()),
    listMemberships(db, userId),
    listHistory(db, userId, positionIn(query)),
    invitationStates(db, { account: [userId] }, now()),
    getSettings(db),
  ]);
  if (!account) return null;
  const allowed = actionsFor(account, actor.userId);
  const requested = PERSON_ACTIONS.find((action) => action === query.get("do"));
  const open = sessions.map(({ sessionHash: _secret, ...session }) => session);
  return {
    account,
    zone,
    isOwn: userId === actor.userId,
    allowed,
    invitation: account.status === "pending" ? (invitations.get(userId) ?? null) : null,
    /** Names the form that the address asks for, and whether the account is in a state for it. */
    form: requested ?? null,
    isOffered: allowed.some((action) => action === (requested === "end_session" ? "end_sessions" : requested)),
    /** Names the session that the form is to end, as the address names it, and where it has not ended since. */
    sessionId: query.get("session"),
    session: open.find(({ id }) => String(id) === query.get("session")) ?? null,
    role: query.get("role"),
    /** Names the list that a change of role came from. */
    from: safePath(query.get("from"), ["admin"], "") || null,
    identity: identityRequest(ctx, actor),
    token: issueFormToken(ctx, PERSON_PURPOSE),
    sessions: open,
    memberships: memberships.slice(0, MEMBERSHIPS_SHOWN).map((membership) => ({
      ...membership,
      href: staffPathOf(subjects, actor, { type: "organization", id: membership.organizationId }),
    })),
    /** Holds the address of all memberships of the person; null: the page has all of them. */
    allMemberships: memberships.length > MEMBERSHIPS_SHOWN ? withParams(MEMBERS_PATH, { q: account.email }) : null,
    history: historyPage(
      events.map((event) => activityEntry(event, (subject) => staffPathOf(subjects, actor, subject))),
    ),
  };
}

/** Returns the events of a page, and the one that the next page begins after. */
const historyPage = (entries: ActivityEntry[]) => ({
  entries: entries.slice(0, HISTORY_PAGE),
  older: entries.length > HISTORY_PAGE ? (entries[HISTORY_PAGE - 1]?.id ?? null) : null,
});

/** Reads from which event on the history is shown. */
function positionIn(query: URLSearchParams): number {
  const text = query.get("before") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}
