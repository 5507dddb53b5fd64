import { redirect } from "@remix-run/cloudflare";

/** Where password managers look for the place to change a password. */
export function loader() {
  return redirect("/profile#password");
}
