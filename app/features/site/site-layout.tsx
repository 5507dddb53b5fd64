import type { ComponentProps, ReactNode } from "react";
import type { Brand, Phone } from "~/content/brand";
import { footerColumns, legalLinks, mainLinks } from "~/content/navigation";
import { MfaNotice, UnsavedCodes } from "~/features/account/mfa-notice";
import type { MfaRequirementNotice } from "~/features/auth/model";
import { type SiteBrand, useSiteBrand } from "~/features/settings/brand";
import { SignOutForm } from "~/features/sign-in/sign-out-form";
import { ADMIN_HOME_PATH, CONTACT_PATH, PORTAL_HOME_PATH, PROFILE_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { mailtoHref } from "~/lib/email";
import { Button, LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Handset, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import {
  type Flash,
  FlashRegion,
  isCurrentSection,
  Logo,
  Menu,
  MenuHead,
  popover,
  popoverTarget,
  SkipLink,
} from "~/ui/page";
import { ThemeButtons } from "~/ui/theme-form";
import { PageWidth } from "./site-page";

export type Viewer = { name: string; isStaff: boolean; signOutToken: string };

type SiteHeaderProps = {
  brand: Pick<Brand, "name" | "phone">;
  path: string;
  viewer: Viewer | null;
  home?: boolean;
};

/**
 * One list of links serves both as the row in a wide bar and as the menu in a narrow one. On Home its id is the address
 * that shows it at once.
 */
export function SiteHeader({ brand, path, viewer, home }: SiteHeaderProps) {
  return (
    <>
      <SkipLink />
      {home ? (
        // Stands in the place of the header while that waits, which then covers it and is what is read aloud.
        <div className="@container/bar absolute inset-x-0 top-0 print:hidden" aria-hidden="true">
          <PageWidth className="flex min-h-18 items-center justify-between py-2">
            <Logo name={brand.name} to="/" size="header" tabIndex={-1} />
            {brand.phone ? <Call phone={brand.phone} tabIndex={-1} /> : null}
          </PageWidth>
        </div>
      ) : null}
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
            {brand.phone ? (
              <a className="bar-menu:menu-item bar-row:hidden text-ink no-underline" href={brand.phone.href}>
                Call {brand.phone.display}
              </a>
            ) : null}
            <MenuOnly viewer={viewer} />
          </nav>
          <div className="flex items-center bar-menu:gap-x-2 bar-tight:gap-x-4 gap-x-5 whitespace-nowrap bar-menu:[--btn-text:0.9375rem] bar-menu:[--btn-x:0.65rem] bar-phone:[--btn-text:0.875rem] bar-phone:[--btn-x:0.5rem] print:hidden">
            {brand.phone ? <Call phone={brand.phone} /> : null}
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

/**
 * The number where a bar has room for it, otherwise the handset alone, which is read aloud with the number. A phone has
 * the number in its menu: a third button would cut the name.
 */
function Call({ phone, tabIndex }: { phone: Phone; tabIndex?: -1 }) {
  return (
    <a
      className="hover:edge-b inline-flex @max-[26rem]/bar:hidden min-h-tap items-center gap-2 font-semibold text-base text-ink no-underline"
      href={phone.href}
      aria-label={`Call ${phone.display}`}
      tabIndex={tabIndex}
    >
      <Icon of={Handset} />
      <span className="@max-[78rem]/bar:hidden">{phone.display}</span>
    </a>
  );
}

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

/** The menus repeat these links, so a narrow bar leaves the buttons out. */
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

type SiteFooterProps = { brand: Pick<SiteBrand, "name" | "address" | "phone" | "email" | "content">; year: number };

export function SiteFooter({ brand, year }: SiteFooterProps) {
  return (
    <footer className="on-deep bg-brand-deep text-base text-on-deep-2 [--color-focus:var(--color-canary)] print:hidden [&_a]:text-on-deep [&_a]:decoration-[color-mix(in_oklab,currentColor_45%,transparent)] [&_a]:hover:decoration-current">
      <PageWidth className="relative grid grid-cols-[1.5fr_1fr_1fr_1fr] gap-9 py-9 *:min-w-0 max-md:grid-cols-1 max-md:gap-0 max-md:py-6 max-lg:grid-cols-2">
        <div className="max-md:mb-4">
          <Logo name={brand.name} to="/" />
          <address className="mt-4 not-italic leading-[1.65] max-md:[&_a]:py-[0.3rem]">
            {brand.address.map((line) => (
              <span className="block" key={line}>
                {line}
              </span>
            ))}
            {brand.phone ? (
              <a className="block" href={brand.phone.href}>
                {brand.phone.display}
              </a>
            ) : null}
            <a className="block" href={mailtoHref(brand.email)}>
              {brand.email}
            </a>
          </address>
        </div>
        {footerColumns(brand.content).map((column) => (
          <FooterLinks key={column.title} {...column} />
        ))}
        <div className="max-md:footer-line col-span-full flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm max-md:pt-3 [&>a]:py-[0.35rem]">
          <span>
            © {year} {brand.name}
          </span>
          {legalLinks.map(({ label, path }) => (
            <Link key={path} to={path}>
              {label}
            </Link>
          ))}
          <ThemeButtons id="footer-theme" />
        </div>
      </PageWidth>
    </footer>
  );
}

/** Open beside the others where there is room, and where the browser can do that; otherwise behind its title. */
function FooterLinks({ title, links }: ReturnType<typeof footerColumns>[number]) {
  return (
    <nav
      className="max-md:footer-line listed:before:mb-[0.6rem] listed:before:block listed:before:font-semibold listed:before:text-on-deep listed:before:content-[attr(aria-label)]"
      aria-label={title}
    >
      <details className="listed:details-content:[block-size:auto] listed:details-content:[content-visibility:visible]">
        <summary className="flex listed:hidden min-h-tap cursor-pointer list-none items-center justify-between font-semibold text-on-deep after:font-normal after:text-lg after:content-['+'] in-open:after:content-['–'] [&::-webkit-details-marker]:hidden">
          {title}
        </summary>
        <ul className="*:py-[0.2rem] max-md:pb-3 max-md:[&_a]:inline-flex max-md:[&_a]:min-h-9 max-md:[&_a]:items-center">
          {links.map(({ label, path }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

type SignedInLayoutProps = {
  path: string;
  viewer: Viewer | null;
  hasPortal: boolean;
  flash: Flash | null;
  codesUnsaved: boolean;
  mfaNotice: MfaRequirementNotice | null;
  year: number;
  children: ReactNode;
};

export function SignedInLayout({
  path,
  viewer,
  hasPortal,
  flash,
  codesUnsaved,
  mfaNotice,
  year,
  children,
}: SignedInLayoutProps) {
  const brand = useSiteBrand();
  return (
    <>
      <SiteHeader brand={brand} path={path} viewer={viewer} />
      <main id="main" tabIndex={-1} className="flex-[1_0_auto]">
        {hasPortal ? (
          <PageWidth className="pt-3 print:hidden">
            <Link className="inline-block py-2 text-sm" to={PORTAL_HOME_PATH}>
              ← Back to the client portal
            </Link>
          </PageWidth>
        ) : null}
        <FlashRegion flash={flash} className="mx-auto max-w-page px-gutter not-empty:pt-5" />
        {codesUnsaved || mfaNotice ? (
          <PageWidth className="pt-5 *:mb-5 print:hidden">
            {codesUnsaved ? <UnsavedCodes /> : null}
            {mfaNotice ? <MfaNotice mfaNotice={mfaNotice} /> : null}
          </PageWidth>
        ) : null}
        <PageWidth className="pt-section">{children}</PageWidth>
      </main>
      <SiteFooter brand={brand} year={year} />
    </>
  );
}
