import { useLocation, useMatches, useNavigation } from "@remix-run/react";
import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { UnsavedCodes } from "~/features/account/mfa-notice";
import { OwnAddressHeld } from "~/features/mail/held-address";
import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { UnreadLink } from "~/features/notifications/unread-link";
import { STAFF_SEARCH_PATH } from "~/features/search/model";
import { SearchLink } from "~/features/search/search-link";
import { useBrand } from "~/features/settings/brand";
import { SignOutForm } from "~/features/sign-in/sign-out-form";
import { submissionPath } from "~/features/submissions/subject";
import { LIVE_FAILED, LIVE_PAUSED, NEW_SUBMISSION_TITLE } from "~/features/workspace/labels";
import type { AdminLayoutData } from "~/features/workspace/layout.server";
import {
  LIVE_PANEL_SIZE,
  type LiveUpdate,
  liveUpdate,
  mergeUpdates,
  STAFF_LIVE_PATH,
} from "~/features/workspace/model";
import { ADMIN_HOME_PATH, PROFILE_PATH } from "~/lib/addresses";
import type { LiveEventFrame } from "~/live/protocol";
import { useLive } from "~/live/use-live";
import { Button, TextButton, TextLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Form, useEnhancement } from "~/ui/form";
import { Bolt, Icon, X } from "~/ui/icon";
import { Link } from "~/ui/link";
import {
  ContentArea,
  FlashRegion,
  isCurrentSection,
  Logo,
  Menu,
  MenuHead,
  PageAnnouncer,
  popover,
  popoverTarget,
  SkipLink,
  useLastingFlash,
} from "~/ui/page";
import { Time, VisuallyHidden } from "~/ui/text";
import type { NavigationEntry } from "../model";

/** Where the toast of a live event stands. */
const TOAST_PLACE = "live-toast";

type SidePanelProps = {
  id: string;
  as: "nav" | "section";
  className?: string;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  children: ReactNode;
};

/** On a phone it is the popover of a button of the bar. */
function SidePanel({ id, as: Element, className, children, ...names }: SidePanelProps) {
  return (
    <Element className={cx("workspace-panel", className)} data-live-part={id} {...names} {...popover(id)}>
      {children}
    </Element>
  );
}

const loadShortcuts = async () => (await import("../shortcuts.client")).listenToShortcuts;

type AdminLayoutProps = AdminLayoutData & { path: string; ownAddress: string; children: ReactNode };

/** One list of links serves as the column and, on a phone, as the menu. */
export function AdminLayout(props: AdminLayoutProps) {
  const { path, ownAddress, items, account, shortcutsOff, flash, live, liveToken, zone } = props;
  const { codesUnsaved, held, children } = props;
  const panel = { zone, token: liveToken, path: ownAddress };
  const isNavigating = useNavigation().state !== "idle";
  const message = useLastingFlash(flash);
  return (
    <div className="workspace">
      <SkipLink />
      {useMatches().some(({ handle }) => (handle as { hasReply?: boolean } | undefined)?.hasReply) ? (
        <SkipLink to="#write" label="Skip to reply" />
      ) : null}
      <span ref={useEnhancement<HTMLSpanElement>(loadShortcuts)} data-shortcuts={shortcutsOff ? "off" : "on"} hidden />
      <PageAnnouncer />
      <header className="group workspace-bar">
        <Logo className="workspace-logo" size="sm" name={useBrand().name} to={ADMIN_HOME_PATH} />
        <SidePanel as="nav" id="admin-menu" aria-label="Admin">
          {items.map((item) => (
            <SectionLink key={item.path} item={item} isCurrent={isCurrentSection(item.path, path, ADMIN_HOME_PATH)} />
          ))}
          <div className="[&_:is(a,button)]:menu-item border-line border-t md:hidden">
            <AccountEntries {...account} />
          </div>
        </SidePanel>
        <div className="flex *:min-w-10 md:hidden">
          <AccountShortcuts {...account} shortcutsOff={shortcutsOff} />
        </div>
        {/* Part of the page from the start, and polite: it waits until the reader pauses and takes no focus. */}
        <div
          id={TOAST_PLACE}
          role="status"
          className="max-md:not-empty:order-first max-md:not-empty:mr-auto max-md:min-w-0 md:sticky md:bottom-0 md:empty:-mb-5"
        />
        <button
          type="button"
          className="inline-flex min-h-11 min-w-10 cursor-pointer items-center justify-center gap-1.5 border-0 bg-transparent text-ink-2 md:hidden"
          {...popoverTarget("live-updates")}
        >
          <Icon of={Bolt} />
          <VisuallyHidden>Live updates </VisuallyHidden>
          <span className="font-semibold text-ink text-sm tabular-nums">{live?.updates.length ?? 0}</span>
        </button>
        <Button variant="quiet" size="sm" className="max-[14rem]:-order-1 md:hidden" {...popoverTarget("admin-menu")}>
          Menu
        </Button>
      </header>
      <ContentArea>
        <AccountMenu {...account} shortcutsOff={shortcutsOff} />
        <main id="main" tabIndex={-1} aria-busy={isNavigating || undefined}>
          <FlashRegion className="@max-medium:not-empty:clear-both @max-medium:not-empty:pt-2" flash={message} />
          {codesUnsaved ? <UnsavedCodes className="@max-medium:clear-both mb-5" /> : null}
          {held ? <OwnAddressHeld className="@max-medium:clear-both mb-5" held={held} /> : null}
          {children}
        </main>
      </ContentArea>
      {live ? (
        <LiveUpdates {...live} {...panel} />
      ) : (
        <LivePanel updates={[]} {...panel} paused={LIVE_FAILED} control={null} />
      )}
    </div>
  );
}

function SectionLink({ item, isCurrent }: { item: NavigationEntry; isCurrent: boolean }) {
  return (
    <Link className="workspace-link" to={item.path} aria-current={isCurrent ? "page" : undefined}>
      {item.label}
      {item.badge ? <Badge {...item.badge} /> : null}
    </Link>
  );
}

function Badge({ count, isMore, of }: NonNullable<NavigationEntry["badge"]>) {
  return (
    <span className="ml-2 text-ink-3 text-xs tabular-nums">
      {count.toLocaleString("en-US")}
      {isMore ? "+" : null}
      <VisuallyHidden> {of}</VisuallyHidden>
    </span>
  );
}

type AccountMenuProps = { name: string; email: string; unread: number | null; signOutToken: string };

function AccountMenu(props: AccountMenuProps & { shortcutsOff: boolean }) {
  return (
    // Floats, so that the page's own title shares its line without the layout knowing the title.
    <nav
      className="float-right mb-2 ml-4 flex flex-wrap items-center justify-end gap-3 max-md:hidden print:hidden"
      aria-label="Account"
    >
      <AccountShortcuts {...props} />
      <Menu id="account-menu" size="sm" label={`Account: ${props.name}`}>
        <AccountEntries {...props} />
      </Menu>
    </nav>
  );
}

const AccountShortcuts = ({ unread, shortcutsOff }: Pick<AccountMenuProps, "unread"> & { shortcutsOff: boolean }) => (
  <>
    <SearchLink to={STAFF_SEARCH_PATH} hasKeys={!shortcutsOff} />
    <span className="contents" data-live-part="unread">
      <UnreadLink to={STAFF_NOTIFICATIONS_PATH} unread={unread} />
    </span>
  </>
);

const AccountEntries = ({ name, email, signOutToken }: Omit<AccountMenuProps, "unread">) => (
  <>
    <MenuHead>
      <b>{name}</b>
      <br />
      {email}
    </MenuHead>
    <Link to={PROFILE_PATH}>Profile Settings</Link>
    <Link to="/">View site</Link>
    <button type="button" className="scripting:block hidden" aria-keyshortcuts="?" data-shows-shortcuts="">
      Keyboard shortcuts
    </button>
    <SignOutForm token={signOutToken} />
  </>
);

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> & {
  of: string;
  label: string;
};

function IconButton({ of, label, type = "button", className, ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      className={cx(
        "grid size-7 cursor-pointer place-items-center rounded-2 border-0 bg-transparent p-0 text-ink-3 hover:bg-sunken hover:text-ink max-md:size-11",
        className,
      )}
      aria-label={label}
      {...rest}
    >
      <Icon of={of} />
    </button>
  );
}

export type LiveListProps = {
  updates: readonly LiveUpdate[];
  zone: string;
  token: string;
  path: string;
};

export function LiveUpdateList({ updates, zone, token, path }: LiveListProps) {
  return (
    <ul className="live-updates">
      {updates.map(({ seq, label, href, at }) => (
        <li key={seq}>
          <p>
            {href ? (
              <Link className="line-clamp-3" to={href}>
                {label}
              </Link>
            ) : (
              label
            )}
            <span className="block text-ink-3">
              <Time at={at} zone={zone} />
            </span>
          </p>
          <Form action={STAFF_NOTIFICATIONS_PATH} token={token}>
            <input type="hidden" name="return_to" value={path} />
            <input type="hidden" name="seq" value={seq} />
            <IconButton type="submit" name="intent" value="dismiss" of={X} label={`Dismiss: ${label}`} />
          </Form>
        </li>
      ))}
    </ul>
  );
}

export function DismissAll({ updates, token, path }: Omit<LiveListProps, "zone">) {
  const [newest] = updates;
  if (!newest) return null;
  return (
    <Form action={STAFF_NOTIFICATIONS_PATH} token={token}>
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="through" value={newest.seq} />
      <TextButton type="submit" name="intent" value="dismiss_all">
        Dismiss all
      </TextButton>
    </Form>
  );
}

type LivePanelProps = LiveListProps & {
  /** Says why nothing new appears by itself at the moment; `null` while the connection is open. */
  paused: string | null;
  /** Stops or restarts live updates; `null` until scripts have taken over. */
  control: { label: string; act: () => void } | null;
};

function LivePanel({ updates, zone, token, paused, control, path }: LivePanelProps) {
  return (
    <div className="workspace-live">
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
    </div>
  );
}

/**
 * Before that, and without them, it is the list that the server made, and every update can be dismissed with a plain
 * form.
 */
function LiveUpdates({ updates, lastSeq, zone, token, path }: LiveListProps & { lastSeq: number }) {
  const [received, setReceived] = useState<readonly LiveUpdate[]>([]);
  const [newSubmission, setNewSubmission] = useState<LiveEventFrame | null>(null);
  const closeToast = useCallback(() => setNewSubmission(null), []);
  const { state, isStale, pause, resume } = useLive(STAFF_LIVE_PATH, {
    lastSeq,
    onEvent: (event) => {
      const update = liveUpdate({ ...event, at: Date.parse(event.at) });
      setReceived((before) => [update, ...before].slice(0, LIVE_PANEL_SIZE));
      if (event.type === "new_submission") setNewSubmission(event);
    },
  });
  const controls = {
    connecting: null,
    live: { label: "Pause", act: pause },
    paused: { label: "Resume", act: resume },
  };
  return (
    <>
      {newSubmission
        ? createPortal(
            <Toast key={newSubmission.seq} {...toastFor(newSubmission)} onClose={closeToast} />,
            document.getElementById(TOAST_PLACE) ?? document.body,
          )
        : null}
      <LivePanel
        updates={mergeUpdates(updates, lastSeq, received)}
        zone={zone}
        token={token}
        paused={state === "paused" || isStale ? LIVE_PAUSED : null}
        control={controls[state]}
        path={path}
      />
    </>
  );
}

const toastFor = ({ id, label }: LiveEventFrame) => ({
  title: NEW_SUBMISSION_TITLE,
  message: label,
  to: submissionPath(id),
});

type ToastProps = {
  title: string;
  message: string;
  to: string;
  /** Closes the toast; must stay the same function, or the time starts over. */
  onClose: () => void;
};

const SHOWN_MS = 10_000;

/** Goes away after a while, but not while somebody points at it or has the focus in it, and once its page is open. */
function Toast({ title, message, to, onClose }: ToastProps) {
  const [isPointedAt, setPointedAt] = useState(false);
  const { pathname } = useLocation();
  const isOpened = pathname === to;
  useEffect(() => {
    if (isPointedAt && !isOpened) return;
    const timer = setTimeout(onClose, isOpened ? 0 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isPointedAt, isOpened, onClose]);
  const updatePointedAt = ({ currentTarget }: SyntheticEvent) =>
    setPointedAt(currentTarget.matches(":hover, :focus-within"));
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onClose();
  };
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 border-line-strong border-l-4 border-l-brand bg-raised pl-2 text-xs/[1.4] md:rounded-2 md:border-y md:border-r md:py-2"
      data-live-toast=""
      onPointerEnter={updatePointedAt}
      onPointerLeave={updatePointedAt}
      onFocus={updatePointedAt}
      onBlur={updatePointedAt}
      onKeyDown={closeByKey}
    >
      <strong className="col-start-1 truncate">{title}</strong>
      <p className="col-start-1 max-md:truncate">
        <Link to={to}>{message}</Link>
      </p>
      <IconButton className="[grid-area:1/2/3/3]" of={X} label={`Close: ${title}`} onClick={onClose} />
    </section>
  );
}
