import { isRouteErrorResponse, useLocation, useMatches, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { routeErrorText } from "~/lib/error-texts";
import { cx } from "./cx";
import { Link } from "./link";

type ErrorPageProps = {
  title: string;
  text: ReactNode;
  links: readonly { label: string; to: string; isNewDocument?: boolean }[];
  isInLayout?: true;
};

/** Never a stack trace. */
export function ErrorPage({ title, text, links, isInLayout }: ErrorPageProps) {
  return (
    <div
      className={cx(
        "clear-both grid gap-4 py-[clamp(2.5rem,10vh,7rem)]",
        !isInLayout && "mx-auto max-w-page px-gutter",
      )}
    >
      <h1>{title}</h1>
      <p className="text-ink-2">{text}</p>
      <nav aria-label="Where to go next">
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {links.map(({ label, to, isNewDocument }) => (
            <li key={to}>{isNewDocument ? <a href={to}>{label}</a> : <Link to={to}>{label}</Link>}</li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** Each page of the admin area and the portal exports it as its error boundary: the layout around the page stays. */
export function AreaError() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const page = useMatches().at(-1);
  const listName = (page?.handle as ListHandle | undefined)?.listName;
  const isUnknownAddress = page?.id.endsWith("$") === true;
  // Who may not open the page may often not open the list it is below either.
  const isDenied = isRouteErrorResponse(error) && error.status === 403;
  // What was an error when the page came, the framework answers once more to the first who asks: a new page asks us.
  const isNewDocument = typeof document !== "undefined" && Boolean(window.__remixContext.state.errors);
  const retry = { label: "Retry", to: pathname + search, isNewDocument };
  const again = isRouteErrorResponse(error) && error.status < 500 ? [] : [retry];
  const { title, text, links } = routeErrorText(error);
  const waysOn = links ?? [...again, ...waysBack(pathname, isUnknownAddress || isDenied ? null : listName)];
  return <ErrorPage title={title} text={text} links={[...waysOn, HOME]} isInLayout />;
}

const HOME = { label: "Return to Home", to: "/" };

export type ListHandle = { listName: string };

/** `listName`: how the list is called, if that is not the word in its address; null: the list is left out. */
function waysBack(pathname: string, listName: string | null | undefined) {
  const [, area = "", list = "", ...below] = pathname.split("/");
  const dashboard = { label: "Back to Dashboard", to: `/${area}` };
  if (below.length === 0 || listName === null) return [dashboard];
  const name = listName ?? list.charAt(0).toUpperCase() + list.slice(1);
  return [{ label: `Back to ${name}`, to: `/${area}/${list}` }, dashboard];
}
