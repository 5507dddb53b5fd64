import type { Instant } from "~/lib/time";
import { ButtonRow } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Time } from "~/ui/time";

type ListedSession = {
  sessionHash: string;
  device: string;
  network: string;
  startedAt: Instant;
  lastSeenAt: Instant;
  isCurrent: boolean;
};

type SessionListProps = { sessions: readonly ListedSession[]; zone: string; token: string };

const ACTION = "/profile/sessions";

export function SessionList({ sessions, zone, token }: SessionListProps) {
  return (
    <>
      <ul>
        {sessions.map((session) => (
          <li
            key={session.sessionHash}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line-strong border-b py-[0.9rem]"
          >
            <div>
              <b>{session.device}</b>
              {session.isCurrent ? " (this browser)" : null}
              <p className="text-ink-2 text-sm">
                Network {session.network}. Signed in <Time at={session.startedAt} zone={zone} />, last seen{" "}
                <Time at={session.lastSeenAt} zone={zone} />.
              </p>
            </div>
            {session.isCurrent ? null : (
              <Form action={ACTION} token={token} reloadDocument>
                <input type="hidden" name="intent" value="revoke" />
                <input type="hidden" name="session" value={session.sessionHash} />
                <SubmitButton variant="quiet" size="sm" aria-label={`Sign out ${session.device}`}>
                  Sign out
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <ButtonRow>
        {sessions.length > 1 ? (
          <Form action={ACTION} token={token} reloadDocument>
            <input type="hidden" name="intent" value="revoke-others" />
            <SubmitButton variant="quiet">Sign out all others</SubmitButton>
          </Form>
        ) : null}
        <Form action={ACTION} token={token} reloadDocument>
          <input type="hidden" name="intent" value="end-all" />
          <SubmitButton variant="danger">Sign out everywhere</SubmitButton>
        </Form>
      </ButtonRow>
    </>
  );
}
