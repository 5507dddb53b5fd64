import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { Icon } from "~/ui/icon";
import { Bolt } from "~/ui/icons";
import { Link } from "~/ui/link";
import { popoverTarget } from "~/ui/menu";
import { TextButton, TextLink } from "~/ui/text-button";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { LiveUpdate } from "../live-update";
import { DismissAll, LiveUpdateList } from "./live-update-list";
import { SidePanel } from "./side-panel";

type LivePanelProps = {
  /** Lists the updates, newest first, five at most. */
  updates: readonly LiveUpdate[];
  zone: string;
  token: string;
  /** Says why nothing new appears by itself at the moment; `null` while the connection is open. */
  paused: string | null;
  /** Stops or restarts live updates; `null` until scripts have taken over. */
  control: { label: string; act: () => void } | null;
  /** Holds the page's own address, for the Refresh link. */
  path: string;
};

/** Shows the latest updates that were not dismissed: in the column, or on a phone behind a button. */
export function LivePanel({ updates, zone, token, paused, control, path }: LivePanelProps) {
  return (
    <>
      <button
        type="button"
        className="inline-flex min-h-11 min-w-10 cursor-pointer items-center justify-center gap-1.5 border-0 bg-transparent text-ink-2 md:hidden"
        {...popoverTarget("live-updates")}
      >
        <Icon of={Bolt} />
        <VisuallyHidden>Live updates </VisuallyHidden>
        <span className="font-semibold text-ink text-sm tabular-nums">{updates.length}</span>
      </button>
      <SidePanel
        as="section"
        id="live-updates"
        className="border-line max-md:px-4 max-md:py-3 md:border-t md:px-[0.6rem] md:pt-[0.9rem]"
        aria-labelledby="live-title"
      >
        <div className="flex items-center justify-between gap-2">
          <h2 className="font-semibold text-sm/[1.4] tracking-[0]" id="live-title">
            Live updates
          </h2>
          {control ? (
            <TextButton onClick={control.act}>
              {control.label}
              <VisuallyHidden> live updates</VisuallyHidden>
            </TextButton>
          ) : null}
        </div>
        {paused ? (
          <p className="py-[0.4rem] text-ink-2 text-xs">
            {paused} <Link to={path}>Refresh</Link>
          </p>
        ) : null}
        <noscript>
          <p>
            <a href={path}>Refresh</a>
          </p>
        </noscript>
        {updates.length === 0 && !paused ? (
          <p className="py-[0.4rem] text-ink-2 text-xs">Nothing new since you opened this page.</p>
        ) : null}
        <div aria-live="polite">
          <LiveUpdateList updates={updates} zone={zone} token={token} path={path} />
        </div>
        {updates.length > 0 ? (
          <div className="flex items-center justify-between gap-2">
            <TextLink to={STAFF_NOTIFICATIONS_PATH}>See all</TextLink>
            <DismissAll updates={updates} token={token} path={path} />
          </div>
        ) : null}
      </SidePanel>
    </>
  );
}
