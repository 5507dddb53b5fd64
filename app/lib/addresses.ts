/*
 * The addresses that several features link to or redirect to. Every other address stands only in its own feature.
 * tests/architecture/addresses.test.ts checks both.
 */

/** Lists the homes of the areas. */
export const ADMIN_HOME_PATH = "/admin";
export const PORTAL_HOME_PATH = "/client";
export const PROFILE_PATH = "/profile";

/** Lists the addresses of signing in and out. */
export const STAFF_SIGN_IN_PATH = "/auth";
export const CLIENT_SIGN_IN_PATH = "/client/auth";
export const SIGN_OUT_PATH = "/logout";

/** Names the page of the link that confirms the address of a new account. */
export const VERIFY_EMAIL_PATH = "/verify-email";
/** Asks for a link to choose a new password; the link leads here too. */
export const PASSWORD_RESET_PATH = "/login?mode=reset";
/** Names the page to which people who must change their password are redirected from every other page. */
export const PASSWORD_UPDATE_PATH = "/login?mode=update";
/** Names the page that leads a person with a recovery link through the set-up of a second factor. */
export const MFA_RECOVERY_PATH = "/login?mode=setup";

/** Names the page to which people who lack a required second factor are redirected from every other page. */
export const MFA_PATH = "/profile/mfa";
export const ENABLE_MFA_PATH = "/profile/mfa?do=enable";
export const NEW_BACKUP_CODES_PATH = "/profile/mfa?do=codes";
/** Shows new backup codes, once. */
export const SHOW_BACKUP_CODES_PATH = "/profile/mfa?step=codes";
/** Asks for a proof of identity and redirects back. */
export const CONFIRM_IDENTITY_PATH = "/profile/confirm";

export const CONTACT_PATH = "/contact";
/** Names the address of the submissions that wait for review. */
export const HELD_SUBMISSIONS_PATH = "/admin/submissions?view=held";

/** Names the page at which staff open a ticket for a client. */
export const STAFF_NEW_TICKET_PATH = "/admin/tickets/new";

/** Names the page of privacy; below it what is stored about a person, by the id of the account. */
export const PRIVACY_PATH = "/admin/privacy";

/** Returns a path with further query parameters. The path has no fragment. */
export const withParams = (path: string, params: Record<string, string>): string =>
  `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(params)}`;

/** Returns the path of a page that afterwards leads on to `redirectTo`, if there is one. */
export const withRedirectTo = (path: string, redirectTo: string | null): string =>
  redirectTo ? withParams(path, { redirectTo }) : path;

/** Returns path and query of the page that a URL belongs to. Remix adds `_data` to requests for a page's data. */
export function pagePath({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.delete("_data");
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** Returns the address of a picture of the brand: the logo, or an icon. */
export const brandFilePath = (name: string): string => `/brand/${name}`;
