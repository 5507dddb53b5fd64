import { isRouteErrorResponse, useLocation, useMatches, useRouteError } from "@remix-run/react";
import { type ErrorText, errorTextOf } from "~/lib/error-texts";
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
      {...textOf(error)}
      links={[...again, ...waysBack(pathname, isUnknownAddress || isDenied), HOME]}
      isInLayout
    />
  );
}

/** Returns the title of the page for an error. */
export const errorTitle = (error: unknown): string => textOf(error).title;

const textOf = (error: unknown): ErrorText =>
  isRouteErrorResponse(error) ? errorTextOf(error.status, error.data) : errorTextOf(500, null);

const HOME = { label: "Return to Home", to: "/" };

/** Returns the list that a record is in, if the address is below one, and the first page of the area. */
function waysBack(pathname: string, isAreaOnly: boolean) {
  const [, area = "", list = "", ...below] = pathname.split("/");
  const dashboard = { label: "Back to Dashboard", to: `/${area}` };
  if (below.length === 0 || isAreaOnly) return [dashboard];
  const name = list.charAt(0).toUpperCase() + list.slice(1);
  return [{ label: `Back to ${name}`, to: `/${area}/${list}` }, dashboard];
}
