import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { type Flash, FlashRegion } from "~/ui/flash";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { popover, popoverTarget } from "~/ui/menu";
import { PageAnnouncer } from "~/ui/page-announcer";
import { SkipLink } from "~/ui/skip-link";
import { AccountMenu, type AccountMenuProps } from "./account-menu";
import { useLastingFlash } from "./use-lasting-flash";

export type NavigationEntry = {
  label: string;
  path: string;
  /** A figure beside the label and what it counts, such as 6 "open". */
  badge?: { count: number; of: string };
};

type WorkspaceFrameProps = {
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

/** Frame of the back office. One list of links serves as the column on a desk and as the menu on a phone. */
export function WorkspaceFrame({ brandName, path, items, account, flash, live, children }: WorkspaceFrameProps) {
  const isUnderWay = useNavigation().state !== "idle";
  const message = useLastingFlash(flash);
  return (
    <div className="app">
      <SkipLink />
      <PageAnnouncer />
      <header className="side">
        <Logo name={brandName} to="/admin" />
        <nav className="menu" aria-label="Admin" {...popover("office-menu")}>
          {items.map((item) => (
            <Link key={item.path} to={item.path} aria-current={isCurrent(item.path, path) ? "page" : undefined}>
              {item.label}
              {item.badge ? <Badge {...item.badge} /> : null}
            </Link>
          ))}
        </nav>
        {live}
        <Button variant="quiet" size="sm" className="only-phone" {...popoverTarget("office-menu")}>
          Menu
        </Button>
      </header>
      <div className="desk">
        <AccountMenu {...account} />
        <main id="main" tabIndex={-1} aria-busy={isUnderWay || undefined}>
          <FlashRegion flash={message} />
          {children}
        </main>
      </div>
    </div>
  );
}

/** A section's pages mark the section; the dashboard marks only itself. */
const isCurrent = (item: string, path: string) => item === path || (item !== "/admin" && path.startsWith(`${item}/`));

function Badge({ count, of }: { count: number; of: string }) {
  return (
    <span className="count">
      {count.toLocaleString("en-US")}
      <span className="vh"> {of}</span>
    </span>
  );
}
