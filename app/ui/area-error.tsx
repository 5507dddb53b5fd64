import { isRouteErrorResponse, useLocation, useMatches, useRouteError } from "@remix-run/react";
import { routeErrorText } from "~/lib/error-texts";
import { ErrorPage } from "./error-page";

/**
 * Shows an error of a page inside the layout of its area, with a way back. Each page of the admin area and the portal
 * exports it as its error boundary: the layout around the page stays.
 */
export function AreaError() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const isUnknownAddress = useMatches().at(-1)?.id.endsWith("$") === true;
  // Who may not open the page may often not open the list it is below either.
  const isDenied = isRouteErrorResponse(error) && error.status === 403;
  const again = isRouteErrorResponse(error) && error.status < 500 ? [] : [{ label: "Retry", to: pathname + search }];
  return (
    <ErrorPage
      {...routeErrorText(error)}
      links={[...again, ...waysBack(pathname, isUnknownAddress || isDenied), HOME]}
      isInLayout
    />
  );
}

const HOME = { label: "Return to Home", to: "/" };

/** Names the lists whose title is not the word in their address. */
const LIST_NAMES: Record<string, string> = { "canned-replies": "Saved replies" };

/** Returns the list that a record is in, if the address is below one, and the first page of the area. */
function waysBack(pathname: string, isAreaOnly: boolean) {
  const [, area = "", list = "", ...below] = pathname.split("/");
  const dashboard = { label: "Back to Dashboard", to: `/${area}` };
  if (below.length === 0 || isAreaOnly) return [dashboard];
  const name = LIST_NAMES[list] ?? list.charAt(0).toUpperCase() + list.slice(1);
  return [{ label: `Back to ${name}`, to: `/${area}/${list}` }, dashboard];
}
