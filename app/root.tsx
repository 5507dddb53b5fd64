import regularFont from "@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2";
import type { LinksFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  LiveReload,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import styles from "./tailwind.css";
import { ErrorPage } from "./ui/error-page";
import { NonceContext } from "./ui/nonce";

export const links: LinksFunction = () => [
  { rel: "preload", href: regularFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

/**
 * A route says `handle = { hydrate: true }` when its pages need the framework in the browser; all others ship none.
 * With `ownStyles` its style sheet contains the base as well, so that a public page asks for one file and not for two.
 */
type RouteHandle = { hydrate?: boolean; ownStyles?: boolean };

/** The document around every page, error pages included. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const handles = useMatches().map((match) => match.handle as RouteHandle | undefined);
  const hydrate = handles.some((handle) => handle?.hydrate);
  const ownStyles = handles.some((handle) => handle?.ownStyles);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f1f6f7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#091518" media="(prefers-color-scheme: dark)" />
        <Meta />
        {ownStyles ? null : <link rel="stylesheet" href={styles} />}
        <Links />
      </head>
      <body>
        {children}
        {hydrate ? (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
            <LiveReload nonce={nonce} origin="http://localhost:3001" />
          </>
        ) : null}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

const WAYS = [
  { label: "Return to Home", to: "/" },
  { label: "Contact", to: "/contact" },
];

/** What a refused request looks like: one title and one sentence by status, the same for missing and foreign objects. */
const REFUSALS: Record<number, { title: string; text: string }> = {
  400: { title: "That could not be read", text: "Go back and try again." },
  403: {
    title: "Access Denied",
    text: "You don't have permission to access this area. Admin privileges required.",
  },
  404: { title: "Page Not Found", text: "There's nothing at this address. It may have moved." },
  405: { title: "That does not work here", text: "This address does not take that kind of request." },
  409: {
    title: "This changed while you were working",
    text: "Go back, reload the page, and look at the current state.",
  },
};

/** The last boundary: refusals thrown at the door of a route. Unexpected errors are answered by the worker itself. */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const refusal = REFUSALS[status] ?? {
    title: "Something went wrong on our side",
    text: "Your work may not have been saved. Try again in a minute.",
  };
  return (
    <main id="main" tabIndex={-1}>
      <title>{refusal.title}</title>
      <ErrorPage title={refusal.title} text={refusal.text} links={WAYS} />
    </main>
  );
}
