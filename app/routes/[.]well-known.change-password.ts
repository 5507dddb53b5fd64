import { redirectWithin } from "~/platform/responses.server";

/** Redirects password managers, which look here for the place to change a password. */
export function loader() {
  return redirectWithin("/profile#password", { status: 302 });
}
