import type { PlatformRole } from "~/access/model";
import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import { ActivityFeed } from "~/features/audit/activity/activity-feed";
import { NO_ACTIVITY, REASON_MAX } from "~/features/audit/labels";
import { OtherAddresses } from "~/features/contacts/other-addresses";
import { type InvitationState, ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { HeldAddressNotice } from "~/features/mail/held-address";
import { type HeldAddress, MAIL_STATUS_LABELS, UNDELIVERED } from "~/features/mail/model";
import { USERS_PATH, userPath } from "~/features/users/model";
import { PRIVACY_PATH, PROFILE_PATH, withParams } from "~/lib/addresses";
import { mailtoHref, telHref } from "~/lib/email";
import type { ValidationError } from "~/lib/form";
import { plural } from "~/lib/text";
import { ButtonRow, CancelLink } from "~/ui/button";
import { type Fact, FactList } from "~/ui/fact-list";
import { ErrorSummary, Field, Form, formKey, Select, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Breadcrumb, EmptyState, Panel, Sheet, SheetRows } from "~/ui/page";
import { Tag } from "~/ui/status-pill";
import { Time } from "~/ui/text";
import {
  ACCOUNT_CHANGED_MEANWHILE,
  ACTION_TEXTS,
  ROLE_LABELS,
  ROLE_OPTIONS,
  USER_STATUS_LABELS,
  USER_STATUS_TAGS,
} from "./labels";
import {
  endSessionPath,
  type PersonAccount,
  type PersonAction,
  type PersonAnswer,
  type PersonMembership,
} from "./model";
import type { readPerson } from "./person-page.server";
import { RoleDescriptions } from "./role-descriptions";

/** What the loader of the page hands on to its parts. */
type Person = NonNullable<Awaited<ReturnType<typeof readPerson>>>;

export function AccessForm({
  account,
  action,
  token,
  identity,
  role,
  from,
  ...rest
}: Person & { action: PersonAction }) {
  const { isOffered, sessionId, session } = rest;
  const { title, text, button, pending, variant } = ACTION_TEXTS[action];
  const page = withParams(userPath(account.id), {
    do: action,
    ...(role ? { role } : {}),
    ...(sessionId ? { session: sessionId } : {}),
    ...(from ? { from } : {}),
  });
  const path = methodPath(page, identity?.method);
  const rejected = useFormResult<ValidationError>(formKey(path, action)) ?? null;
  const { errors = {}, values = {} } = rejected ?? {};
  if (!isOffered) {
    return rejected ? (
      <ErrorSummary title={rejected.title} errors={{ form: errors.form ?? ACCOUNT_CHANGED_MEANWHILE }} />
    ) : null;
  }
  return (
    <Panel id="access-form" title={title(account.name)}>
      {rejected ? <ErrorSummary className="mb-3" title={rejected.title} errors={errors} /> : null}
      <p className="mb-3">
        {action === "end_session" && session ? `${session.device}, network ${session.network}. ` : null}
        {text}
      </p>
      <Form className="grid max-w-160 gap-4" action={path} token={token} name={action} intent={action}>
        {sessionId ? <input type="hidden" name="session" value={sessionId} /> : null}
        {from ? <input type="hidden" name="from" value={from} /> : null}
        {action === "role" ? (
          <RoleFields current={account.role} chosen={values.role || role} />
        ) : (
          <Field
            name="reason"
            label="Reason"
            hint="Kept in the activity, which staff can read. The person does not see it."
            error={errors.reason}
          >
            <Textarea rows={2} maxLength={REASON_MAX} defaultValue={values.reason} />
          </Field>
        )}
        <IdentityQuestion identity={identity} page={page} errors={errors} />
        <ButtonRow dense>
          <SubmitButton variant={variant} pendingLabel={pending}>
            {button}
          </SubmitButton>
          <CancelLink to={from ?? userPath(account.id)} />
        </ButtonRow>
      </Form>
    </Panel>
  );
}

function RoleFields({ current, chosen }: { current: PlatformRole; chosen: string | null }) {
  const value = ROLE_OPTIONS.some((option) => option.value === chosen) ? (chosen ?? current) : current;
  return (
    <>
      <Field name="role" label="Role" hint={`Now ${ROLE_LABELS[current]}.`}>
        <Select options={ROLE_OPTIONS} defaultValue={value} />
      </Field>
      <RoleDescriptions />
    </>
  );
}

export function HeldMail({ userId, held, token }: { userId: string; held: HeldAddress; token: string }) {
  const path = userPath(userId);
  return (
    <div className="grid justify-items-start gap-3">
      <HeldAddressNotice held={held}>Other mail waits, and leaves by itself when it is sent again.</HeldAddressNotice>
      <Form action={path} token={token} name="release_mail">
        <SubmitButton variant="quiet" size="sm" intent="release_mail">
          Send mail again
        </SubmitButton>
      </Form>
    </div>
  );
}

type InvitationPanelProps = { userId: string; invitation: InvitationState; token: string; zone: string };

export function InvitationPanel({ userId, invitation, token, zone }: InvitationPanelProps) {
  const { invitedBy, sentAt, expiresAt, state, mail, failure } = invitation;
  const path = userPath(userId);
  const hasFailed = UNDELIVERED.some((status) => status === mail);
  const answer = useFormResult<PersonAnswer>(formKey(path, "invitation")) ?? null;
  const isRejected = answer !== null && Object.keys(answer.errors).length > 0;
  const mailWords = mail === null ? null : MAIL_STATUS_LABELS[mail];
  return (
    <Panel id="invitation" title="Invitation">
      {isRejected ? <ErrorSummary className="mb-3" title={answer.title} errors={answer.errors} /> : null}
      <FactList
        facts={[
          { term: "Invited by", detail: invitedBy },
          { term: "Sent", detail: <Time at={sentAt} zone={zone} mode="short" /> },
          {
            term: state === "expired" ? "Expired" : "Expires",
            detail: <Time at={expiresAt} zone={zone} mode="short" />,
          },
          { term: "Email", detail: hasFailed && failure ? `${mailWords}: ${failure}` : mailWords },
        ]}
      />
      {answer?.link ? (
        <p className="my-3">
          Hand this link over yourself. It is shown only now, and replaces the one that was mailed.
          <span className="wrap-anywhere mt-1 block font-mono text-sm">{answer.link}</span>
        </p>
      ) : null}
      <Form action={path} token={token} name="invitation">
        <ButtonRow dense>
          <SubmitButton variant="quiet" size="sm" intent="resend">
            Resend
          </SubmitButton>
          <SubmitButton variant="quiet" size="sm" intent="revoke">
            Revoke
          </SubmitButton>
          {hasFailed ? (
            <SubmitButton variant="quiet" size="sm" intent="copy_link">
              Copy link
            </SubmitButton>
          ) : null}
        </ButtonRow>
      </Form>
    </Panel>
  );
}

export function PersonHead({ account, isOwn }: Pick<Person, "account" | "isOwn">) {
  const { name, email, phone, role, status } = account;
  const state = USER_STATUS_TAGS[status];
  return (
    <>
      <Breadcrumb dense items={[{ label: "Users", to: USERS_PATH }, { label: name }]} />
      <div className="clear-both flex flex-wrap items-center gap-x-[0.9rem] gap-y-[0.35rem]">
        <h1 className="wrap-anywhere">{name}</h1>
        <Tag>{ROLE_LABELS[role]}</Tag>
        {state ? <Tag>{state}</Tag> : null}
        {isOwn ? <Tag>you</Tag> : null}
      </div>
      <p className="mt-1 text-ink-2">
        <a className="wrap-anywhere" href={mailtoHref(email)}>
          {email}
        </a>
        {phone ? (
          <a className="wrap-anywhere ml-4" href={telHref(phone)}>
            {phone}
          </a>
        ) : null}
        {/* Where it stands below everything else, there is a way to it. */}
        {status === "unverified" ? null : (
          <a className="ml-4 @max-wide:inline hidden print:hidden" href="#access-title">
            Access
          </a>
        )}
      </p>
    </>
  );
}

export function PersonHistory({ userId, history, zone }: Pick<Person, "history" | "zone"> & { userId: string }) {
  const { entries, older } = history;
  return (
    <section aria-labelledby="history-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="history-title" className="text-lg">
        History
      </h2>
      {entries.length > 0 ? <ActivityFeed entries={entries} zone={zone} /> : <EmptyState {...NO_ACTIVITY} />}
      {older === null ? null : (
        <p>
          <Link to={`${withParams(userPath(userId), { before: String(older) })}#history-title`}>Older</Link>
        </p>
      )}
    </section>
  );
}

type PersonSessionsProps = Pick<Person, "sessions" | "zone"> & { userId: string; canEnd: boolean };

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

const STATES: Record<PersonMembership["status"], string | null> = {
  active: null,
  pending: "Pending",
  suspended: "Suspended",
};

type PersonMembershipsProps = Pick<Person, "memberships" | "zone"> & { allTo: string | null };

export function PersonMemberships({ memberships, allTo, zone }: PersonMembershipsProps) {
  return (
    <Sheet id="memberships" title="Organizations">
      {memberships.length === 0 ? <Nothing>No organization.</Nothing> : null}
      <SheetRows>
        {memberships.map(({ organizationId, organization, href, role, status, joinedAt }) => (
          <li key={organizationId} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <span className="wrap-anywhere">{href ? <Link to={href}>{organization}</Link> : organization}</span>
            <span className="flex items-baseline gap-2 text-ink-2 text-sm">
              <Tag>{ORGANIZATION_ROLE_LABELS[role]}</Tag>
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

export function PersonSidebar({ account, allowed, isOwn, token, zone }: Person) {
  return (
    <aside className="grid gap-4" aria-label="About this account">
      <Panel id="account" title="Account">
        <FactList facts={accountFacts(account, zone)} />
        <OtherAddresses emails={account.otherAddresses} path={userPath(account.id)} token={token} />
      </Panel>
      <Panel id="factor" title="Two-step sign-in">
        <FactList facts={factorFacts(account)} />
      </Panel>
      {isOwn ? (
        <Panel id="access" title="Access">
          <p>
            This is your account. Change it in <Link to={PROFILE_PATH}>Personal Settings</Link>.
          </p>
        </Panel>
      ) : null}
      {allowed.length > 0 ? (
        <Panel id="access" title="Access">
          <ul className="grid gap-2">
            {allowed.map((action) => (
              <li key={action}>
                <Link to={withParams(userPath(account.id), { do: action })}>{ACTION_TEXTS[action].link}</Link>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      <Panel id="privacy" title="Privacy">
        {account.closureRequestedAt === null ? null : (
          <p className="mb-2">
            Asked to close the account <Time at={account.closureRequestedAt} zone={zone} mode="date" />.
          </p>
        )}
        <p>
          <Link to={`${PRIVACY_PATH}/${account.id}`}>Export or erase</Link>
        </p>
      </Panel>
    </aside>
  );
}

function accountFacts(account: PersonAccount, zone: string): Fact[] {
  const { role, status, joinedAt, failures, blockedUntil, mustChangePassword, passwordExpiresAt } = account;
  const time = (at: number) => <Time at={at} zone={zone} mode="short" />;
  return [
    { term: "Role", detail: ROLE_LABELS[role] },
    { term: "State", detail: USER_STATUS_LABELS[status] },
    { term: "Joined", detail: <Time at={joinedAt} zone={zone} mode="date" /> },
    ...(mustChangePassword ? [{ term: "Password", detail: "To be changed at the next sign-in" }] : []),
    ...(passwordExpiresAt === null ? [] : [{ term: "Works until", detail: time(passwordExpiresAt) }]),
    ...(failures > 0 ? [{ term: "Failed", detail: plural(failures, "sign-in") }] : []),
    ...(blockedUntil === null ? [] : [{ term: "Blocked until", detail: time(blockedUntil) }]),
  ];
}

function factorFacts({ hasFactor, codesLeft, needsSetupLink }: PersonAccount): Fact[] {
  if (hasFactor) {
    return [
      { term: "Method", detail: "Authenticator app" },
      { term: "Backup codes", detail: `${plural(codesLeft, "code")} left` },
    ];
  }
  return [{ term: "Method", detail: needsSetupLink ? "Reset, waiting for the set-up link" : "Not set up" }];
}
