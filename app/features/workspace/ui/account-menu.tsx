import { SignOutForm } from "~/features/auth/ui/sign-out-form";
import { Link } from "~/ui/link";
import { Menu } from "~/ui/menu";

export type AccountMenuProps = { name: string; email: string; signOutToken: string };

/** Who is signed in, with the ways to their settings, to the public site and out. */
export function AccountMenu({ name, email, signOutToken }: AccountMenuProps) {
  return (
    <nav className="account" aria-label="Account">
      <Menu id="account-menu" size="sm" label={`Account: ${name}`}>
        <p className="who">
          <b>{name}</b>
          <br />
          {email}
        </p>
        <Link to="/profile">Profile Settings</Link>
        <Link to="/">View site</Link>
        <SignOutForm token={signOutToken} />
      </Menu>
    </nav>
  );
}
