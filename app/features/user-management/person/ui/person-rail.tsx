import { userPath } from "~/features/users/subject";
import { PRIVACY_PATH, PROFILE_PATH, withParams } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { type Fact, FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { ROLE_LABELS, STATUS_LABELS } from "../../copy";
import { ACTION_TEXTS } from "../copy";
import type { PersonAccount, PersonAction } from "../model";

type PersonRailProps = {
  account: PersonAccount;
  allowed: readonly PersonAction[];
  isOwn: boolean;
  zone: string;
};

/** Shows the facts of an account beside what the person does with it, and what an administrator may do about it. */
export function PersonRail({ account, allowed, isOwn, zone }: PersonRailProps) {
  return (
    <aside className="grid gap-4" aria-label="About this account">
      <Panel id="account" title="Account">
        <FactList facts={accountFacts(account, zone)} />
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
    { term: "State", detail: STATUS_LABELS[status] },
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
