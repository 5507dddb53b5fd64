import type { ComponentProps } from "react";
import type { Brand } from "~/content/brand";
import { mainLinks } from "~/content/navigation";
import { SignOutForm } from "~/features/sign-in/ui/sign-out-form";
import { ADMIN_HOME_PATH, CONTACT_PATH, PROFILE_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { Button, LinkButton } from "~/ui/button";
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
  /** Path of the page, to mark it in the list. */
  path: string;
  viewer: Viewer | null;
  /** On Home the header waits until the hero has been seen. */
  home?: boolean;
};

/**
 * Shows the banner of the public site. One list of links serves both as the row on a wide screen and as the menu on
 * a phone.
 */
export function SiteHeader({ brand, path, viewer, home }: SiteHeaderProps) {
  return (
    <>
      <SkipLink />
      <header
        className={cx(
          "sticky top-0 z-5 border-line border-b bg-page print:static print:border-0 print:bg-transparent",
          home && "waits",
        )}
      >
        <PageWidth className="flex min-h-18 flex-wrap items-center gap-x-[clamp(1rem,3vw,2.5rem)] gap-y-3 py-2 max-md:gap-x-3 md:max-[60rem]:gap-y-[0.1rem] md:max-[60rem]:pt-[0.6rem] md:max-[60rem]:pb-0">
          <Logo name={brand.name} to="/" size="header" />
          <nav
            className="max-md:menu-panel gap-x-[clamp(1rem,2vw,1.75rem)] md:mr-auto md:flex md:flex-wrap md:max-[60rem]:order-3 md:max-[60rem]:w-full print:hidden"
            aria-label="Main"
            {...popover("site-menu")}
          >
            {mainLinks.map((link) => (
              <NavLink key={link.path} to={link.path} aria-current={isCurrent(link.path, path) ? "page" : undefined}>
                {link.label}
              </NavLink>
            ))}
            <PhoneLinks viewer={viewer} />
          </nav>
          <div className="ml-auto flex flex-wrap items-center gap-x-5 gap-y-2 max-md:gap-x-2 print:hidden max-md:[--btn-text:0.9375rem] max-md:[--btn-x:0.65rem]">
            {viewer ? <Account viewer={viewer} /> : <SignedOut />}
            <Button variant="quiet" className="whitespace-nowrap md:hidden" {...popoverTarget("site-menu")}>
              Menu
            </Button>
          </div>
        </PageWidth>
      </header>
    </>
  );
}

/** Shows an entry of the row on a wide screen, of the menu on a phone. */
function NavLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cx(
        "max-md:menu-item max-md:current:edge-l md:current:edge-b md:hover:edge-b current:font-semibold text-ink no-underline max-md:last:border-b-0 md:py-3 md:text-base",
        className,
      )}
      {...rest}
    />
  );
}

/** Tells whether a link is marked as current. A section's pages mark the section; Home marks only itself. */
const isCurrent = (link: string, path: string) => link === path || (link !== "/" && path.startsWith(`${link}/`));

function SignedOut() {
  return (
    <>
      <Link className="hover:edge-b py-3 text-base text-ink no-underline max-md:hidden" to={STAFF_SIGN_IN_PATH}>
        Login
      </Link>
      <BarButton to={CONTACT_PATH}>Free Assessment</BarButton>
    </>
  );
}

/** Shows a button of the bar. The menu repeats these links, so the narrowest phones leave the buttons out. */
function BarButton(props: { to: string; children: string }) {
  return <LinkButton className="max-md:whitespace-nowrap max-[22.5rem]:hidden" {...props} />;
}

function Account({ viewer }: { viewer: Viewer }) {
  return (
    <>
      {viewer.isStaff ? <BarButton to={ADMIN_HOME_PATH}>Admin</BarButton> : null}
      <Menu id="account-menu" label="Account">
        <MenuHead>{viewer.name}</MenuHead>
        <Link to={PROFILE_PATH}>Profile Settings</Link>
        {viewer.isStaff ? <Link to={ADMIN_HOME_PATH}>Admin Dashboard</Link> : null}
        <SignOutForm token={viewer.signOutToken} />
      </Menu>
    </>
  );
}

/** Shows the links that the narrow bar has no room for. */
function PhoneLinks({ viewer }: { viewer: Viewer | null }) {
  if (viewer) return null;
  return (
    <>
      <NavLink className="md:hidden" to={CONTACT_PATH}>
        Free Assessment
      </NavLink>
      <NavLink className="md:hidden" to={STAFF_SIGN_IN_PATH}>
        Login
      </NavLink>
    </>
  );
}
