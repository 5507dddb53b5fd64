import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { ADMIN_HOME_PATH } from "~/lib/addresses";
import { Button } from "~/ui/button";
import { ContentArea } from "~/ui/content-area";
import { isCurrentSection } from "~/ui/current-section";
import { type Flash, FlashRegion } from "~/ui/flash";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { popoverTarget } from "~/ui/menu";
import { PageAnnouncer } from "~/ui/page-announcer";
import { SkipLink } from "~/ui/skip-link";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { AccountEntries, AccountMenu, type AccountMenuProps, AccountShortcuts } from "./account-menu";
import { SidePanel } from "./side-panel";
import { useLastingFlash } from "./use-lasting-flash";

export type NavigationEntry = {
  label: string;
  path: string;
  /** Holds a figure beside the label and what it counts, such as 6 "open". */
  badge?: { count: number; of: string };
};

type WorkspaceLayoutProps = {
  brandName: string;
  /** Holds the path of the page, to mark its section. */
  path: string;
  items: readonly NavigationEntry[];
  account: AccountMenuProps;
  flash: Flash | null;
  /** Holds the live panel. */
  live?: ReactNode;
  children: ReactNode;
};

/** Renders the layout of the admin area. One list of links serves as the column and, on a phone, as the menu. */
export function WorkspaceLayout({ brandName, path, items, account, flash, live, children }: WorkspaceLayoutProps) {
  const isNavigating = useNavigation().state !== "idle";
  const message = useLastingFlash(flash);
  return (
    <div className="workspace">
      <SkipLink />
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
        {live}
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

function Badge({ count, of }: { count: number; of: string }) {
  return (
    <span className="ml-2 text-ink-3 text-xs tabular-nums">
      {count.toLocaleString("en-US")}
      <VisuallyHidden> {of}</VisuallyHidden>
    </span>
  );
}
