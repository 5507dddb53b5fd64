import { useMatches, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { MfaNotice, UnsavedCodes } from "~/features/account/mfa-notice";
import { OwnAddressHeld } from "~/features/mail/held-address";
import { CLIENT_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { UnreadLink } from "~/features/notifications/unread-link";
import { CLIENT_SEARCH_PATH } from "~/features/search/model";
import { SearchLink } from "~/features/search/search-link";
import { useBrand } from "~/features/settings/brand";
import { SignOutForm } from "~/features/sign-in/sign-out-form";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH, PROFILE_PATH } from "~/lib/addresses";
import { mailtoHref } from "~/lib/email";
import { useLive } from "~/live/use-live";
import { Button } from "~/ui/button";
import { Form, Select, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import {
  FlashRegion,
  isCurrentSection,
  Logo,
  MenuHead,
  PageAnnouncer,
  popover,
  popoverTarget,
  SkipLink,
  useLastingFlash,
} from "~/ui/page";
import { VisuallyHidden } from "~/ui/text";
import { ThemeButtons } from "~/ui/theme-form";
import type { PortalLayoutData } from "../layout.server";
import { livePath, type OfferedOrganization, SWITCH_PATH } from "../model";

export function PortalLayout({
  path,
  flash,
  codesUnsaved,
  held,
  mfaNotice,
  lastSeq,
  children,
  ...frame
}: PortalLayoutData & { path: string; children: ReactNode }) {
  const { organization } = frame;
  const isNavigating = useNavigation().state !== "idle";
  const message = useLastingFlash(flash);
  useOneOrganization(organization?.id ?? null);
  return (
    <div className="grid min-h-svh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] print:block [&_h1]:text-[clamp(1.625rem,1.35rem+1.2vw,2.125rem)] [&_h2]:text-[1.1875rem]">
      {organization && lastSeq !== null ? (
        <LivePages key={organization.id} organizationId={organization.id} lastSeq={lastSeq} />
      ) : null}
      <SkipLink />
      <PageAnnouncer />
      <PortalHeader {...frame} path={path} />
      <main
        id="main"
        tabIndex={-1}
        aria-busy={isNavigating || undefined}
        className="@container mx-auto w-full max-w-portal px-portal-edge pt-[clamp(1.25rem,2.5vw,2rem)] pb-12"
      >
        <FlashRegion flash={message} />
        {codesUnsaved ? <UnsavedCodes className="mb-5 print:hidden" /> : null}
        {held ? <OwnAddressHeld className="mb-5 print:hidden" held={held} /> : null}
        {mfaNotice ? <MfaNotice className="mb-5 print:hidden" mfaNotice={mfaNotice} /> : null}
        {children}
      </main>
      <PortalFooter plan={organization?.plan ?? "none"} />
    </div>
  );
}

type PortalHeaderProps = Pick<
  PortalLayoutData,
  "organization" | "organizations" | "switchToken" | "items" | "unread" | "account"
> & { path: string };

function PortalHeader({ organization, organizations, switchToken, items, unread, account, path }: PortalHeaderProps) {
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

type OrganizationSwitcherProps = {
  organization: OfferedOrganization;
  organizations: readonly OfferedOrganization[];
  token: string;
};

/** The button appears once another one is chosen; the next document belongs to that organization as a whole. */
function OrganizationSwitcher({ organization, organizations, token }: OrganizationSwitcherProps) {
  if (organizations.length < 2) {
    return <p className={`${PLACE} wrap-anywhere py-2 font-semibold`}>{organization.name}</p>;
  }
  return (
    <Form
      className={`${PLACE} group flex items-center gap-2`}
      action={SWITCH_PATH}
      token={token}
      reloadDocument
      intent="switch"
    >
      <label className="min-w-0 max-md:flex-1" htmlFor="organization">
        <VisuallyHidden>Organization</VisuallyHidden>
        <Select
          key={organization.id}
          id="organization"
          className="max-w-full font-semibold md:max-w-64 md:border-transparent md:bg-transparent md:hover:border-control"
          name="organization_id"
          autoComplete="off"
          defaultValue={organization.id}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </label>
      <SubmitButton
        variant="quiet"
        size="sm"
        className="supports-[selector(:has(a))]:not-group-has-[option:checked:not([selected])]:hidden max-md:min-h-11"
      >
        Switch
      </SubmitButton>
    </Form>
  );
}

const PLACE = "min-w-0 border-line max-md:order-4 max-md:w-full md:border-l md:pl-5";

type Plan = NonNullable<PortalLayoutData["organization"]>["plan"];

function PortalFooter({ plan }: { plan: Plan }) {
  const { phone, supportEmail, hours, planNames } = useBrand();
  const always = AROUND_THE_CLOCK[plan] && `${AROUND_THE_CLOCK[plan]} on your ${planNames[plan]} plan`;
  const times = [hours, always].filter(Boolean).join(", ");
  return (
    <footer className="border-line border-t text-ink-2 text-sm print:hidden">
      <div className="wrap-anywhere mx-auto flex max-w-portal flex-wrap items-baseline gap-x-6 gap-y-1 px-portal-edge py-4 [&_a]:inline-block max-md:[&_a]:py-1">
        <span>
          Help:{" "}
          {phone ? <a href={phone.href}>{phone.display}</a> : <a href={mailtoHref(supportEmail)}>{supportEmail}</a>}
        </span>
        {phone ? <a href={mailtoHref(supportEmail)}>{supportEmail}</a> : null}
        {times ? <span>{times}</span> : null}
        <Link className="md:ml-auto" to="/privacy">
          Privacy
        </Link>
      </div>
    </footer>
  );
}

const AROUND_THE_CLOCK: Record<Plan, string> = { none: "", basic: "", core: "urgent help 24/7", premium: "24/7" };

/** It shows nothing, and the page works without. */
function LivePages({ organizationId, lastSeq }: { organizationId: string; lastSeq: number }) {
  useLive(livePath(organizationId), { lastSeq, onEvent: ignore });
  return null;
}

const ignore = () => undefined;

/** Describes what the loader of a page in an organization returns, so that the frame can tell whose page it is. */
type PageData = { organizationId?: string };

/** `organizationId`: that of the frame. */
function useOneOrganization(organizationId: string | null): void {
  const shown = useRef(organizationId);
  const page = useMatches().at(-1)?.data as PageData | undefined;
  const isOther = (other: string | null | undefined) => Boolean(other) && other !== organizationId;
  const isMixed = isOther(shown.current) || isOther(page?.organizationId);
  if (shown.current === null) shown.current = organizationId;
  useEffect(() => {
    if (isMixed) location.reload();
  }, [isMixed]);
}
