import { redirect } from "@remix-run/cloudflare";

/** Redirects password managers, which look here for the place to change a password. */
export function loader() {
  return redirect("/profile#password");
}
