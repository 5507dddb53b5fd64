import { endSessionPath } from "~/features/user-management/model";
import { userPath } from "~/features/users/model";
import { PROFILE_PATH, withParams } from "~/lib/addresses";
import { ButtonRow, LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/page";
import { Tag } from "~/ui/status-pill";
import { Time } from "~/ui/text";
import { NO_SESSIONS } from "./labels";
import { SESSIONS_PATH } from "./model";
import type { SessionPage } from "./queries.server";

/** One session, or all of a person, end on the person's page, which asks for a reason and a proof of identity. */
export function OpenSessionList({ sessions, next, zone, ownId }: SessionPage & { ownId: string }) {
  return (
    <>
      <Sheet id="sessions" title="Signed in now" isMain>
        {sessions.length === 0 ? (
          <p className="max-w-none border-line border-t px-4 py-3 text-ink-2">{NO_SESSIONS}</p>
        ) : null}
        <SheetRows>
          {sessions.map(({ id, userId, name, email, isStaff, device, network, startedAt, lastSeenAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
              <div className="min-w-0">
                <p className="wrap-anywhere flex flex-wrap items-baseline gap-x-2">
                  <Link className="font-semibold" to={userPath(userId)}>
                    {name}
                  </Link>
                  <span className="text-ink-2 text-sm">{email}</span>
                  {isStaff ? <Tag>Staff</Tag> : null}
                </p>
                <p className="text-ink-2 text-sm">
                  {device}, network {network}. Since <Time at={startedAt} zone={zone} mode="short" />, last used{" "}
                  <Time at={lastSeenAt} zone={zone} mode="short" />
                </p>
              </div>
              {userId === ownId ? (
                <LinkButton variant="quiet" size="sm" to={PROFILE_PATH}>
                  Your profile
                </LinkButton>
              ) : (
                <ButtonRow dense>
                  <LinkButton
                    variant="quiet"
                    size="sm"
                    to={endSessionPath(userId, id, SESSIONS_PATH)}
                    aria-label={`End session of ${name}: ${device}`}
                  >
                    End session
                  </LinkButton>
                  <LinkButton
                    variant="quiet"
                    size="sm"
                    to={withParams(userPath(userId), { do: "end_sessions", from: SESSIONS_PATH })}
                    aria-label={`End sessions of ${name}`}
                  >
                    End sessions
                  </LinkButton>
                </ButtonRow>
              )}
            </li>
          ))}
        </SheetRows>
      </Sheet>
      {next ? (
        <p>
          <Link to={withParams(SESSIONS_PATH, { before: next })} rel="next">
            Used earlier
          </Link>
        </p>
      ) : null}
    </>
  );
}
