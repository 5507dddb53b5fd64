import type { Brand } from "~/content/brand";
import { mainLinks } from "~/content/navigation";
import { SignOutForm } from "~/features/auth/ui/sign-out-form";
import { Button, LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/logo";
import { Menu, popover, popoverTarget } from "~/ui/menu";
import { SkipLink } from "~/ui/skip-link";

/** Whoever is signed in, as far as the header shows it. */
export type Viewer = { name: string; isStaff: boolean; signOutToken: string };

type SiteHeaderProps = {
  brand: Pick<Brand, "name">;
  /** Path of the page, to mark it in the list. */
  path: string;
  viewer: Viewer | null;
  /** On Home the header waits until the hero has been seen. */
  home?: boolean;
};

/** Banner of the public site. One list of links serves both as the row on a desk and as the menu on a phone. */
export function SiteHeader({ brand, path, viewer, home }: SiteHeaderProps) {
  return (
    <>
      <SkipLink />
      <header className={cx("top", home && "waits")}>
        <div className="wrap">
          <Logo name={brand.name} to="/" />
          <nav className="main menu" aria-label="Main" {...popover("site-menu")}>
            {mainLinks.map((link) => (
              <Link key={link.path} to={link.path} aria-current={isCurrent(link.path, path) ? "page" : undefined}>
                {link.label}
              </Link>
            ))}
            <PhoneLinks viewer={viewer} />
          </nav>
          <div className="acts">
            {viewer ? <Account viewer={viewer} /> : <SignedOut />}
            <Button variant="quiet" className="menu-btn" {...popoverTarget("site-menu")}>
              Menu
            </Button>
          </div>
        </div>
      </header>
    </>
  );
}

/** A section's pages mark the section; Home marks only itself. */
const isCurrent = (link: string, path: string) => link === path || (link !== "/" && path.startsWith(`${link}/`));

function SignedOut() {
  return (
    <>
      <Link className="login" to="/auth">
        Login
      </Link>
      <LinkButton to="/contact">Free Assessment</LinkButton>
    </>
  );
}

function Account({ viewer }: { viewer: Viewer }) {
  return (
    <>
      {viewer.isStaff ? <LinkButton to="/admin">Admin</LinkButton> : null}
      <Menu id="account-menu" label="Account">
        <p className="who">{viewer.name}</p>
        <Link to="/profile">Profile Settings</Link>
        {viewer.isStaff ? <Link to="/admin">Admin Dashboard</Link> : null}
        <SignOutForm token={viewer.signOutToken} />
      </Menu>
    </>
  );
}

/** What the narrow bar has no room for. */
function PhoneLinks({ viewer }: { viewer: Viewer | null }) {
  if (viewer) return null;
  return (
    <>
      <Link className="only-phone" to="/contact">
        Free Assessment
      </Link>
      <Link className="only-phone" to="/auth">
        Login
      </Link>
    </>
  );
}
