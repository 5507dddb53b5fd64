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
  const page = useMatches().at(-1);
  const listName = (page?.handle as ListHandle | undefined)?.listName;
  const isUnknownAddress = page?.id.endsWith("$") === true;
  // Who may not open the page may often not open the list it is below either.
  const isDenied = isRouteErrorResponse(error) && error.status === 403;
  const again = isRouteErrorResponse(error) && error.status < 500 ? [] : [{ label: "Retry", to: pathname + search }];
  const { title, text, links } = routeErrorText(error);
  const waysOn = links ?? [...again, ...waysBack(pathname, isUnknownAddress || isDenied ? null : listName)];
  return <ErrorPage title={title} text={text} links={[...waysOn, HOME]} isInLayout />;
}

const HOME = { label: "Return to Home", to: "/" };

/** Says in the handle of a record's route how its list is called, if that is not the word in its address. */
export type ListHandle = { listName: string };

/**
 * Returns the list that a record is in, if the address is below one, and the first page of the area. `listName`: how
 * the list is called, if that is not the word in its address; null: the list is left out.
 */
function waysBack(pathname: string, listName: string | null | undefined) {
  const [, area = "", list = "", ...below] = pathname.split("/");
  const dashboard = { label: "Back to Dashboard", to: `/${area}` };
  if (below.length === 0 || listName === null) return [dashboard];
  const name = listName ?? list.charAt(0).toUpperCase() + list.slice(1);
  return [{ label: `Back to ${name}`, to: `/${area}/${list}` }, dashboard];
}
