import { userPath } from "~/features/users/subject";
import { withParams } from "~/lib/addresses";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Time } from "~/ui/time";
import { alertMessage, NO_LOCKOUTS } from "../copy";
import { type Lockout, SECURITY_PATH } from "../model";

/**
 * Shows the sign-ins that are blocked now. Those of an account can be unlocked, on its page, which asks for a reason
 * and for a proof of identity.
 */
export function Lockouts({ lockouts, zone }: { lockouts: readonly Lockout[]; zone: string }) {
  return (
    <Sheet id="lockouts" title="Blocked sign-ins">
      {lockouts.length === 0 ? (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2">{NO_LOCKOUTS}</p>
      ) : null}
      <SheetRows>
        {lockouts.map(({ id, type, person, about, attempts, blockedUntil }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p className="wrap-anywhere">
              {person ? <Link to={userPath(person.id)}>{about}</Link> : about}
              {person ? <span className="text-ink-2"> {person.email}</span> : null}
              {`: ${alertMessage({ kind: "account_lockout", attempts, source: type })}, until `}
              <Time at={blockedUntil} zone={zone} mode="short" />
            </p>
            {person ? <UnlockLink personId={person.id} about={about} /> : null}
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

/** Leads to the form that unlocks an account, which leads back here. */
export function UnlockLink({ personId, about }: { personId: string; about: string }) {
  return (
    <LinkButton
      variant="quiet"
      size="sm"
      to={withParams(userPath(personId), { do: "unlock", from: SECURITY_PATH })}
      aria-label={`Unlock ${about}`}
    >
      Unlock
    </LinkButton>
  );
}
