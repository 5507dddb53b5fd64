import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Tag } from "~/ui/status-pill";
import { Time } from "~/ui/time";
import { ACTION_TEXTS } from "../copy";
import { endSessionPath, type PersonMembership, type PersonSession } from "../model";

type PersonSessionsProps = {
  userId: string;
  sessions: readonly PersonSession[];
  zone: string;
  /** Tells whether each session may be ended. */
  canEnd: boolean;
};

/** Lists the browsers that are signed in to the account. */
export function PersonSessions({ userId, sessions, zone, canEnd }: PersonSessionsProps) {
  return (
    <Sheet id="sessions" title="Sessions">
      {sessions.length === 0 ? <Nothing>No browser is signed in.</Nothing> : null}
      <SheetRows>
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span>
              {session.device} <span className="text-ink-2 text-sm">Network {session.network}</span>
            </span>
            <span className="flex flex-wrap items-baseline gap-x-4 text-ink-2 text-sm">
              <span>
                Last used <Time at={session.lastSeenAt} zone={zone} mode="short" />
              </span>
              {canEnd ? (
                <Link to={endSessionPath(userId, session.id)}>
                  {ACTION_TEXTS.end_session.link}
                  <span className="sr-only">: {session.device}</span>
                </Link>
              ) : null}
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

const ROLES: Record<PersonMembership["role"], string> = { owner: "Owner", admin: "Admin", member: "Member" };
const STATES: Record<PersonMembership["status"], string | null> = {
  active: null,
  pending: "Pending",
  suspended: "Suspended",
};

type PersonMembershipsProps = {
  /** Lists the memberships, each with the page of its organization; null where there is none. */
  memberships: readonly (PersonMembership & { href: string | null })[];
  /** Holds the address of all of them; null: these are all. */
  allTo: string | null;
  zone: string;
};

/** Lists the organizations that the person belongs to. */
export function PersonMemberships({ memberships, allTo, zone }: PersonMembershipsProps) {
  return (
    <Sheet id="memberships" title="Organizations">
      {memberships.length === 0 ? <Nothing>No organization.</Nothing> : null}
      <SheetRows>
        {memberships.map(({ organizationId, organization, href, role, status, joinedAt }) => (
          <li key={organizationId} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <span className="wrap-anywhere">{href ? <Link to={href}>{organization}</Link> : organization}</span>
            <span className="flex items-baseline gap-2 text-ink-2 text-sm">
              <Tag>{ROLES[role]}</Tag>
              {STATES[status] ? <Tag>{STATES[status]}</Tag> : null}
              {joinedAt === null ? null : (
                <span>
                  since <Time at={joinedAt} zone={zone} mode="date" />
                </span>
              )}
            </span>
          </li>
        ))}
      </SheetRows>
      {allTo ? (
        <p className="max-w-none border-line border-t px-4 py-2">
          <Link to={allTo}>All organizations of this person</Link>
        </p>
      ) : null}
    </Sheet>
  );
}

function Nothing({ children }: { children: string }) {
  return <p className="max-w-none border-line border-t px-4 py-2 text-ink-2">{children}</p>;
}
