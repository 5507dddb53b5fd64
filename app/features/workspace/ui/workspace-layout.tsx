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
import { AccountMenu, type AccountMenuProps } from "./account-menu";
import { SidePanel } from "./side-panel";
import { useLastingFlash } from "./use-lasting-flash";

export type NavigationEntry = {
  label: string;
  path: string;
  /** A figure beside the label and what it counts, such as 6 "open". */
  badge?: { count: number; of: string };
};

type WorkspaceLayoutProps = {
  brandName: string;
  /** Path of the page, to mark its section. */
  path: string;
  items: readonly NavigationEntry[];
  account: AccountMenuProps;
  flash: Flash | null;
  /** The live panel. */
  live?: ReactNode;
  children: ReactNode;
};

/** Renders the layout of the admin area. One list of links serves as the column and, on a phone, as the menu. */
export function WorkspaceLayout({ brandName, path, items, account, flash, live, children }: WorkspaceLayoutProps) {
  const isNavigating = useNavigation().state !== "idle";
  const message = useLastingFlash(flash);
  return (
    <div className="grid min-h-svh grid-cols-[15.5rem_minmax(0,1fr)] text-sm/[1.45] [--btn-text:0.9375rem] [--btn-x:0.9rem] [--spacing-tap:2.25rem] max-md:grid-cols-[minmax(0,1fr)] max-md:content-start md:max-[81.25rem]:grid-cols-[13rem_minmax(0,1fr)] print:block max-md:[--spacing-tap:2.75rem] [&_h1]:text-[1.75rem]">
      <SkipLink />
      <PageAnnouncer />
      <header className="group sticky top-0 z-4 flex max-md:items-center max-md:gap-2 max-md:border-line max-md:border-b max-md:bg-page max-md:px-[min(1rem,4vw)] max-md:py-[0.7rem] md:h-svh md:flex-col md:gap-5 md:overflow-auto md:px-3 md:pt-[1.1rem] md:pb-4 print:hidden max-md:[--btn-x:0.6rem]">
        <Logo
          className="max-md:mr-auto max-md:not-focus:group-has-data-live-toast:hidden md:px-[0.6rem] md:pt-[0.15rem] md:pb-[0.4rem] max-[22.5rem]:[&>span]:sr-only"
          size="sm"
          name={brandName}
          to={ADMIN_HOME_PATH}
        />
        <SidePanel as="nav" id="admin-menu" aria-label="Admin">
          {items.map((item) => (
            <SectionLink key={item.path} item={item} isCurrent={isCurrentSection(item.path, path, ADMIN_HOME_PATH)} />
          ))}
        </SidePanel>
        {live}
        <Button variant="quiet" size="sm" className="md:hidden" {...popoverTarget("admin-menu")}>
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
    <Link
      className="current:edge-l max-md:menu-item current:font-semibold no-underline max-md:last:border-b-0 md:flex md:min-h-[2.125rem] md:items-center md:justify-between md:gap-2 md:rounded-2 md:current:bg-sheet md:px-[0.6rem] md:py-[0.3rem] md:current:text-ink md:text-ink-2 md:hover:bg-sunken md:hover:text-ink md:current:[box-shadow:inset_3px_0_0_var(--color-brand),inset_0_0_0_1px_var(--color-line)]"
      to={item.path}
      aria-current={isCurrent ? "page" : undefined}
    >
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
