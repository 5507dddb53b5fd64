import { useMatches, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { UnreadLink } from "~/features/notifications/unread-link";
import { STAFF_SEARCH_PATH } from "~/features/search/model";
import { SearchLink } from "~/features/search/search-link";
import { SignOutForm } from "~/features/sign-in/sign-out-form";
import { ADMIN_HOME_PATH, PROFILE_PATH } from "~/lib/addresses";
import { Button } from "~/ui/button";
import { cx } from "~/ui/cx";
import { useEnhancement } from "~/ui/form";
import { Bolt, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import {
  ContentArea,
  type Flash,
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
import { VisuallyHidden } from "~/ui/text";

/** Where the toast of a live event stands. */
export const TOAST_PLACE = "live-toast";

type SidePanelProps = {
  id: string;
  as: "nav" | "section";
  className?: string;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  children: ReactNode;
};

/** On a phone it is the popover of a button of the bar. */
export function SidePanel({ id, as: Element, className, children, ...names }: SidePanelProps) {
  return (
    <Element className={cx("workspace-panel", className)} data-live-part={id} {...names} {...popover(id)}>
      {children}
    </Element>
  );
}

export type NavigationEntry = {
  label: string;
  path: string;
  badge?: { count: number; isMore?: boolean; of: string };
};

type WorkspaceLayoutProps = {
  brandName: string;
  path: string;
  items: readonly NavigationEntry[];
  account: AccountMenuProps;
  shortcutsOff: boolean;
  flash: Flash | null;
  updates: number;
  live: ReactNode;
  children: ReactNode;
};

const loadShortcuts = async () => (await import("../shortcuts.client")).listenToShortcuts;

/** One list of links serves as the column and, on a phone, as the menu. */
export function WorkspaceLayout(props: WorkspaceLayoutProps) {
  const { brandName, path, items, account, shortcutsOff, flash, updates, live, children } = props;
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
        <Logo className="workspace-logo" size="sm" name={brandName} to={ADMIN_HOME_PATH} />
        <SidePanel as="nav" id="admin-menu" aria-label="Admin">
          {items.map((item) => (
            <SectionLink key={item.path} item={item} isCurrent={isCurrentSection(item.path, path, ADMIN_HOME_PATH)} />
          ))}
          <div className="[&_:is(a,button)]:menu-item border-line border-t md:hidden">
            <AccountEntries {...account} />
          </div>
        </SidePanel>
        <div className="flex *:min-w-10 md:hidden">
          <AccountShortcuts {...account} />
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
          <span className="font-semibold text-ink text-sm tabular-nums">{updates}</span>
        </button>
        <Button variant="quiet" size="sm" className="max-[14rem]:-order-1 md:hidden" {...popoverTarget("admin-menu")}>
          Menu
        </Button>
      </header>
      <ContentArea>
        <AccountMenu {...account} />
        <main id="main" tabIndex={-1} aria-busy={isNavigating || undefined}>
          <FlashRegion className="@max-medium:not-empty:clear-both @max-medium:not-empty:pt-2" flash={message} />
          {children}
        </main>
      </ContentArea>
      {live}
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

function AccountMenu(props: AccountMenuProps) {
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

const AccountShortcuts = ({ unread }: Pick<AccountMenuProps, "unread">) => (
  <>
    <SearchLink to={STAFF_SEARCH_PATH} />
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
