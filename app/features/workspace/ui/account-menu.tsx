import { SignOutForm } from "~/features/sign-in/ui/sign-out-form";
import { PROFILE_PATH } from "~/lib/addresses";
import { Link } from "~/ui/link";
import { Menu, MenuHead } from "~/ui/menu";

export type AccountMenuProps = { name: string; email: string; signOutToken: string };

/** Shows who is signed in, with links to their settings and the public site, and the button to sign out. */
export function AccountMenu({ name, email, signOutToken }: AccountMenuProps) {
  return (
    // Floats, so that the page's own title shares its line without the layout knowing the title.
    <nav className="float-right mb-2 ml-4 print:hidden" aria-label="Account">
      <Menu id="account-menu" size="sm" label={`Account: ${name}`}>
        <MenuHead>
          <b>{name}</b>
          <br />
          {email}
        </MenuHead>
        <Link to={PROFILE_PATH}>Profile Settings</Link>
        <Link to="/">View site</Link>
        <SignOutForm token={signOutToken} />
      </Menu>
    </nav>
  );
}
