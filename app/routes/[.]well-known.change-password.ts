import { redirectWithin } from "~/platform/responses.server";

export function loader() {
  return redirectWithin("/profile#password", { status: 302 });
}
