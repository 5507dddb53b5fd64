import { CLIENT_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { UnreadLink } from "~/features/notifications/unread-link";
import { CLIENT_SEARCH_PATH } from "~/features/search/model";
import { SearchLink } from "~/features/search/search-link";
import { useBrand } from "~/features/settings/brand";
import { SignOutForm } from "~/features/sign-in/sign-out-form";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH, PROFILE_PATH } from "~/lib/addresses";
import { Button } from "~/ui/button";
import { isCurrentSection } from "~/ui/current-section";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { MenuHead, popover, popoverTarget } from "~/ui/menu";
import { ThemeButtons } from "~/ui/theme-form";
import type { PortalLayoutData } from "../layout.server";
import { OrganizationSwitcher } from "./organization-switcher";

type PortalHeaderProps = Pick<
  PortalLayoutData,
  "organization" | "organizations" | "switchToken" | "items" | "unread" | "account"
> & { path: string };

/** Shows the banner of the portal: where one is, as whom, and what else there is. */
export function PortalHeader({
  organization,
  organizations,
  switchToken,
  items,
  unread,
  account,
  path,
}: PortalHeaderProps) {
  return (
    <header className="border-line border-b bg-sheet print:hidden">
      <div className="mx-auto flex min-h-16 max-w-portal flex-wrap items-center gap-x-6 gap-y-1 px-portal-edge max-md:gap-x-3 max-md:py-2">
        <Logo name={useBrand().name} to={PORTAL_HOME_PATH} size="sm" />
        {organization ? (
          <OrganizationSwitcher organization={organization} organizations={organizations} token={switchToken} />
        ) : null}
        <nav
          className="flex flex-wrap gap-x-6 max-md:order-5 max-md:w-full max-md:gap-x-[clamp(0.5rem,25vw-5.5rem,1.25rem)] max-md:text-[0.9375rem] max-[22rem]:-mr-3 max-[22rem]:w-[calc(100%+0.75rem)] max-[22rem]:text-xs max-[23.4rem]:text-[0.875rem] md:ml-auto"
          aria-label="Portal"
        >
          {items.map((item) => (
            <Link
              key={item.path}
              className="current:edge-b inline-flex min-h-16 items-center current:font-semibold current:text-ink text-ink-2 no-underline hover:text-ink hover:underline max-md:min-h-11"
              to={item.path}
              aria-current={isCurrentSection(item.path, path, PORTAL_HOME_PATH) ? "page" : undefined}
            >
              {item.label}
            </Link>
          ))}
        </nav>
        <div className="flex flex-wrap items-center justify-end gap-4 max-md:ml-auto max-md:gap-3">
          {organization ? (
            <>
              <SearchLink to={CLIENT_SEARCH_PATH} />
              <span className="contents" data-live-part="unread">
                <UnreadLink to={CLIENT_NOTIFICATIONS_PATH} unread={unread} />
              </span>
            </>
          ) : null}
          <AccountMenu {...account} />
        </div>
      </div>
    </header>
  );
}

/** Shows who is signed in, with links to their settings and the public site, the theme, and the button to sign out. */
function AccountMenu({ name, email, isStaff, signOutToken }: PortalLayoutData["account"]) {
  const brandName = useBrand().name;
  return (
    <nav aria-label="Account">
      <Button variant="quiet" size="sm" className="max-md:min-h-11" {...popoverTarget("account-menu")}>
        Account
      </Button>
      <div
        className="menu-panel [&>a,&>form>button]:menu-item [&>form:last-child>button]:border-0"
        {...popover("account-menu")}
      >
        <MenuHead>
          <b>{name}</b>
          <br />
          {email}
        </MenuHead>
        <Link to={PROFILE_PATH}>Profile Settings</Link>
        {isStaff ? <Link to={ADMIN_HOME_PATH}>Admin Dashboard</Link> : null}
        <Link to="/">{brandName} website</Link>
        <ThemeButtons id="account-theme" isInMenu />
        <SignOutForm token={signOutToken} />
      </div>
    </nav>
  );
}
