import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { UnreadLink } from "~/features/notifications/unread-link";
import { STAFF_SEARCH_PATH } from "~/features/search/model";
import { SearchLink } from "~/features/search/search-link";
import { SignOutForm } from "~/features/sign-in/sign-out-form";
import { PROFILE_PATH } from "~/lib/addresses";
import { Link } from "~/ui/link";
import { Menu, MenuHead } from "~/ui/menu";

export type AccountMenuProps = { name: string; email: string; unread: number | null; signOutToken: string };

/**
 * Shows what is unread and who is signed in, with links to their settings and the public site, and to sign out. On a
 * phone the parts stand in the bar and its menu.
 */
export function AccountMenu(props: AccountMenuProps) {
  return (
    // Floats, so that the page's own title shares its line without the layout knowing the title.
    <nav
      className="float-right mb-2 ml-4 flex flex-wrap items-center justify-end gap-3 max-md:hidden print:hidden"
      aria-label="Account"
    >
      <AccountShortcuts {...props} />
      <Menu id="account-menu" size="sm" label={`Account: ${props.name}`}>
        <AccountEntries {...props} />
      </Menu>
    </nav>
  );
}

/** Leads to the search and to what is unread. */
export const AccountShortcuts = ({ unread }: Pick<AccountMenuProps, "unread">) => (
  <>
    <SearchLink to={STAFF_SEARCH_PATH} />
    <span className="contents" data-live-part="unread">
      <UnreadLink to={STAFF_NOTIFICATIONS_PATH} unread={unread} />
    </span>
  </>
);

/** Lists the entries of a menu about the person who is signed in. */
export const AccountEntries = ({ name, email, signOutToken }: Omit<AccountMenuProps, "unread">) => (
  <>
    <MenuHead>
      <b>{name}</b>
      <br />
      {email}
    </MenuHead>
    <Link to={PROFILE_PATH}>Profile Settings</Link>
    <Link to="/">View site</Link>
    <SignOutForm token={signOutToken} />
  </>
);
