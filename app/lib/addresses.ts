/** Addresses that several features link to; every other stands in its own feature (tests/architecture/addresses). */

export const ADMIN_HOME_PATH = "/admin";
export const PORTAL_HOME_PATH = "/client";
export const PROFILE_PATH = "/profile";

export const STAFF_SIGN_IN_PATH = "/auth";
export const CLIENT_SIGN_IN_PATH = "/client/auth";
export const SIGN_OUT_PATH = "/logout";

export const VERIFY_EMAIL_PATH = "/verify-email";
export const PASSWORD_RESET_PATH = "/login?mode=reset";
/** Names the page to which people who must change their password are redirected from every other page. */
export const PASSWORD_UPDATE_PATH = "/login?mode=update";
export const MFA_RECOVERY_PATH = "/login?mode=setup";

export const MFA_PATH = "/profile/mfa";
export const ENABLE_MFA_PATH = "/profile/mfa?do=enable";
export const NEW_BACKUP_CODES_PATH = "/profile/mfa?do=codes";
export const SHOW_BACKUP_CODES_PATH = "/profile/mfa?step=codes";
export const CONFIRM_IDENTITY_PATH = "/profile/confirm";

export const CONTACT_PATH = "/contact";
export const MODERATION_PATH = "/admin/submissions?view=held";

export const STAFF_NEW_TICKET_PATH = "/admin/tickets/new";

export const PRIVACY_PATH = "/admin/privacy";
export const IMPORT_PATH = "/admin/import";
export const FIRST_HOUR_PATH = "/admin/first-hour";

export const withParams = (path: string, params: Record<string, string>): string =>
  `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(params)}`;

export const withRedirectTo = (path: string, redirectTo: string | null): string =>
  redirectTo ? withParams(path, { redirectTo }) : path;

/** Remix adds `_data` to requests for a page's data. */
export function pagePath({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.delete("_data");
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

export const brandFilePath = (name: string): string => `/brand/${name}`;

export function significantParams(
  params: Iterable<readonly [name: string, value: string]>,
  defaults: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams(
    [...params]
      .filter(([name, value]) => value !== "" && value !== defaults[name])
      .map(([name, value]) => [name, value]),
  );
}
