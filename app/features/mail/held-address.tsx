import type { ReactNode } from "react";
import { PROFILE_PATH } from "~/lib/addresses";
import { Notice } from "~/ui/page";
import { Time } from "~/ui/text";
import type { HeldAddress } from "./model";

type HeldAddressNoticeProps = { held: HeldAddress; className?: string; children: ReactNode };

/** Says that mail to an address comes back, and until when none goes there. `children`: what can be done about it. */
export function HeldAddressNotice({
  held: { email, until, zone, reason },
  className,
  children,
}: HeldAddressNoticeProps) {
  const title =
    reason === "complained" ? `Our mail to ${email} was reported as spam.` : `Mail to ${email} is coming back.`;
  return (
    <Notice
      kind="warning"
      className={className}
      title={title}
      message={
        <>
          {until === null ? (
            "Only"
          ) : (
            <>
              Until <Time at={until} zone={zone} mode="short" /> only
            </>
          )}{" "}
          mail about signing in is sent there. {children}
        </>
      }
    />
  );
}

/** Tells people after they have signed in why no mail reaches them. */
export function OwnAddressHeld({ held, className }: { held: HeldAddress; className?: string }) {
  return (
    <HeldAddressNotice held={held} className={className}>
      Is it no longer yours? <a href={PROFILE_PATH}>Change your address</a>
      {held.reason === "complained" ? ", or tell us that you want our mail." : "."}
    </HeldAddressNotice>
  );
}
