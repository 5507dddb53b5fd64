import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  LiveReload,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { pageBrandOf } from "~/features/settings/brand";
import { effectiveBrand, logoStyle } from "~/features/settings/queries.server";
import { CONTACT_PATH, STAFF_SIGN_IN_PATH, withRedirectTo } from "~/lib/addresses";
import { ERROR_TEXTS, errorStatus } from "~/lib/error-texts";
import { themeCookieOf } from "~/platform/cookies.server";
import { NonceContext, OtherAddressContext } from "~/ui/document";
import { ErrorPage } from "~/ui/page";
import { brandStyle } from "./lib/brand-colors";
import { isHydratedPage } from "./lib/hydrated-pages";
import { PAGE_COLORS, rootTheme, type Theme } from "./lib/theme";
import styles from "./styles/admin.css";
import { faviconFor } from "./ui/favicon";
import regularFont from "./ui/styles/fonts/schibsted-grotesk-latin-400-700.woff2";

/**
 * Loads what every page needs: see `useBrand`, `rootBrand` and `rootTheme`. Colours and icon of a brand are computed
 * here, so that no browser loads what computes them.
 */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const brand = await effectiveBrand(context);
  // By the address of the page that is rendered, which may stand in the place of another.
  const isHydrated = isHydratedPage(new URL(request.url).pathname);
  return json({
    brand: isHydrated ? pageBrandOf(brand) : brand,
    head: { css: brandStyle(brand.color) + logoStyle(brand.logo), icon: faviconFor(brand) },
    theme: themeCookieOf(context.request.cookies),
  });
}

/** Keeps brand and theme when an open page reloads its data. */
export const shouldRevalidate = () => false;

/**
 * Describes the `handle` that a route may export, for its own pages and those inside it: as it is, or as a function of
 * what its loader has returned.
 */
export type RouteHandle = {
  /** Tells whether the page loads the scripts of the framework. */
  hydrate?: boolean;
  /** Tells whether the style sheet of the admin area is left out, because the route links its own. */
  ownStyles?: boolean;
  /** Holds the address of the style sheet in the place of that of the admin area. */
  styles?: string;
  /**
   * Tells whether the style sheets stand in the page itself. Not for hydrated pages, whose links the framework manages.
   */
  inlineStyles?: boolean;
};

/** Renders the document around every page, error pages included. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const matches = useMatches();
  const theme = rootTheme(matches);
  const handles = matches.map(({ handle, data }) =>
    typeof handle === "function" ? (handle(data) as RouteHandle) : (handle as RouteHandle | undefined),
  );
  const { head } = (matches.find(({ id }) => id === "root")?.data ?? {}) as Partial<SerializeFrom<typeof loader>>;
  const isOtherAddress = useContext(OtherAddressContext);
  const hydrate = !isOtherAddress && handles.some((handle) => handle?.hydrate);
  const ownStyles = handles.some((handle) => handle?.ownStyles);
  const sheet = handles.find((handle) => handle?.styles)?.styles ?? styles;
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {ownStyles ? null : <link rel="stylesheet" href={sheet} />}
        <ThemeMeta theme={theme} />
        <link rel="preload" href={regularFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href={head?.icon} type="image/svg+xml" />
        <Links />
        <BrandStyle css={head?.css ?? ""} handles={handles} nonce={nonce} />
      </head>
      <body>
        {children}
        {hydrate ? <ScrollRestoration nonce={nonce} /> : null}
        <LiveReload nonce={nonce} origin="http://localhost:3001" />
        {hydrate ? <Scripts nonce={nonce} /> : null}
      </body>
    </html>
  );
}

type BrandStyleProps = { css: string; handles: readonly (RouteHandle | undefined)[]; nonce: string };

/** Replaces colours and mark of the style sheets by those of the brand, if it has its own. */
function BrandStyle({ css, handles, nonce }: BrandStyleProps) {
  if (css === "") return null;
  // The policy of such a page, which may be cached, lists the hashes of its styles.
  const isInline = process.env.NODE_ENV !== "development" && handles.some((handle) => handle?.inlineStyles);
  return <style nonce={isInline ? undefined : nonce}>{css}</style>;
}

/** Sets the colours of the page and of the browser's toolbars before a style sheet has loaded. */
function ThemeMeta({ theme }: { theme: Theme }) {
  if (theme !== "system") {
    return (
      <>
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={PAGE_COLORS[theme]} />
      </>
    );
  }
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={PAGE_COLORS.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={PAGE_COLORS.dark} media="(prefers-color-scheme: dark)" />
    </>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Links to the sign-in page, which leads back to the path. */
const signInLink = (path: string) => ({ label: "Sign in", to: withRedirectTo(STAFF_SIGN_IN_PATH, path) });

const ERROR_LINKS = [
  { label: "Return to Home", to: "/" },
  { label: "Contact", to: CONTACT_PATH },
];

/** Shows errors of navigations in the browser. For whole documents the worker renders its own error page. */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = errorStatus(isRouteErrorResponse(error) ? error.status : 500);
  const { pathname, search } = useLocation();
  const errorLinks = status === 401 ? [signInLink(pathname + search), ...ERROR_LINKS] : ERROR_LINKS;
  return (
    <main id="main" tabIndex={-1}>
      <ErrorPage {...ERROR_TEXTS[status]} links={errorLinks} />
    </main>
  );
}
