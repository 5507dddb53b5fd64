import type { ComponentProps } from "react";
import type { Brand } from "~/content/brand";
import { mainLinks } from "~/content/navigation";
import { SignOutForm } from "~/features/sign-in/ui/sign-out-form";
import { ADMIN_HOME_PATH, CONTACT_PATH, PROFILE_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { Button, LinkButton } from "~/ui/button";
import { isCurrentSection } from "~/ui/current-section";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { Menu, MenuHead, popover, popoverTarget } from "~/ui/menu";
import { SkipLink } from "~/ui/skip-link";
import { PageWidth } from "./page-width";

/** Holds who is signed in, as far as the header shows it. */
export type Viewer = { name: string; isStaff: boolean; signOutToken: string };

type SiteHeaderProps = {
  brand: Pick<Brand, "name">;
  /** Holds the path of the page, to mark it in the list. */
  path: string;
  viewer: Viewer | null;
  /** Tells whether the page is Home, where the header waits until the hero has been seen. */
  home?: boolean;
};

/**
 * Shows the banner of the public site. One list of links serves both as the row in a wide bar and as the menu in a
 * narrow one. On Home its id is the address that shows it at once.
 */
export function SiteHeader({ brand, path, viewer, home }: SiteHeaderProps) {
  return (
    <>
      <SkipLink />
      <header
        className={cx(
          "@container/bar sticky top-0 z-5 border-line border-b bg-page print:static print:border-0 print:bg-transparent",
          home && "waits",
        )}
        {...(home ? { id: "show-navbar", "data-navbar": "waits" } : null)}
      >
        <PageWidth className="grid min-h-18 bar-row:grid-cols-[fit-content(18rem)_minmax(min-content,1fr)_auto] grid-cols-[minmax(0,1fr)_auto] items-center bar-phone:gap-x-2 bar-row:gap-x-[clamp(1rem,2.6vw,2.25rem)] bar-tight:gap-x-4 gap-x-3 py-2">
          <Logo name={brand.name} to="/" size="header" />
          <nav
            className="bar-menu:menu-panel print:hidden! bar-row:flex bar-row:flex-wrap bar-tight:gap-x-[0.65rem] gap-x-[clamp(1rem,1.8vw,1.75rem)] bar-row:bg-page"
            aria-label="Main"
            {...popover("site-menu")}
          >
            {mainLinks.map((link) => (
              <NavLink
                key={link.path}
                to={link.path}
                aria-current={isCurrentSection(link.path, path, "/") ? "page" : undefined}
              >
                {link.label}
              </NavLink>
            ))}
            <MenuOnly viewer={viewer} />
          </nav>
          <div className="flex items-center bar-menu:gap-x-2 bar-tight:gap-x-4 gap-x-5 whitespace-nowrap bar-menu:[--btn-text:0.9375rem] bar-menu:[--btn-x:0.65rem] bar-phone:[--btn-text:0.875rem] bar-phone:[--btn-x:0.5rem] print:hidden">
            {viewer ? <Account viewer={viewer} /> : <SignedOut />}
            <Button variant="quiet" className="bar-row:hidden" {...popoverTarget("site-menu")}>
              Menu
            </Button>
          </div>
        </PageWidth>
      </header>
    </>
  );
}

/** Shows an entry of the row in a wide bar, of the menu in a narrow one. */
function NavLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cx(
        "bar-menu:menu-item bar-menu:current:edge-l bar-row:current:edge-b bar-row:hover:edge-b bar-row:py-3 current:font-semibold bar-row:text-base bar-tight:text-[0.9375rem] text-ink no-underline bar-menu:last:border-b-0",
        className,
      )}
      {...rest}
    />
  );
}

function SignedOut() {
  return (
    <>
      <Link className="hover:edge-b bar-menu:hidden py-3 text-base text-ink no-underline" to={STAFF_SIGN_IN_PATH}>
        Login
      </Link>
      <BarButton to={CONTACT_PATH}>Free Assessment</BarButton>
    </>
  );
}

/** Shows a button of the bar. The menus repeat these links, so a narrow bar leaves the buttons out. */
function BarButton({ className, ...props }: { to: string; className?: string; children: string }) {
  return <LinkButton className={cx("bar-narrow:hidden", className)} {...props} />;
}

function Account({ viewer }: { viewer: Viewer }) {
  return (
    <>
      {/* Three buttons would cut the name on a phone. */}
      {viewer.isStaff ? (
        <BarButton className="@max-[26rem]/bar:hidden" to={ADMIN_HOME_PATH}>
          Admin
        </BarButton>
      ) : null}
      <div className="bar-narrow:hidden">
        <Menu id="account-menu" label="Account">
          <MenuHead>{viewer.name}</MenuHead>
          <Link to={PROFILE_PATH}>Profile Settings</Link>
          {viewer.isStaff ? <Link to={ADMIN_HOME_PATH}>Admin Dashboard</Link> : null}
          <SignOutForm token={viewer.signOutToken} />
        </Menu>
      </div>
    </>
  );
}

/** Shows what the narrow bar has no room for, in the menu. */
function MenuOnly({ viewer }: { viewer: Viewer | null }) {
  if (!viewer) {
    return (
      <>
        <NavLink className="bar-row:hidden" to={CONTACT_PATH}>
          Free Assessment
        </NavLink>
        <NavLink className="bar-row:hidden" to={STAFF_SIGN_IN_PATH}>
          Login
        </NavLink>
      </>
    );
  }
  return (
    <>
      {viewer.isStaff ? (
        <NavLink className="bar-open:hidden" to={ADMIN_HOME_PATH}>
          Admin Dashboard
        </NavLink>
      ) : null}
      <NavLink className="bar-open:hidden" to={PROFILE_PATH}>
        Profile Settings
      </NavLink>
      <div className="[&_button]:menu-item bar-open:hidden [&_button]:border-0">
        <SignOutForm token={viewer.signOutToken} />
      </div>
    </>
  );
}
