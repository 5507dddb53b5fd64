import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { NonceContext, OtherAddressContext } from "~/ui/document";
import { withInlineStyles } from "./platform/page-styles.server";
import { staticPolicy } from "./platform/security-headers.server";
import type { RouteHandle } from "./root";

/**
 * Renders every page to a string. A stream costs a multiple of the CPU in workerd, because each of its thousands of
 * small chunks is encoded by itself (docs/decisions/0002-render-to-string.md).
 */
export default async function handleDocumentRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  // For an error without the layout of its area the worker renders its own page.
  if (!keepsLayout(remixContext.staticHandlerContext)) return new Response(null, { status });
  // The framework answers a form with the status of its action, even where the page is not there.
  const shown = shownError(remixContext.staticHandlerContext)?.status ?? status;
  const markup = renderToString(
    <NonceContext.Provider value={context.request.nonce}>
      <OtherAddressContext.Provider value={new URL(request.url).pathname !== context.request.browserPath}>
        <RemixServer context={remixContext} url={request.url} />
      </OtherAddressContext.Provider>
    </NonceContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  // The framework keeps no header of a loader that threw.
  if (shown === 503 && !headers.has("Retry-After")) headers.set("Retry-After", "5");
  const html = `<!DOCTYPE html>${markup}`;
  if (!hasInlineStyles(remixContext)) return new Response(html, { status: shown, headers });
  const { url } = context.request;
  const styled = await withInlineStyles(html, context.readAsset);
  const botCheck = Boolean(context.config.TURNSTILE_SITE_KEY);
  headers.set("Content-Security-Policy", staticPolicy({ url, botCheck, styleHashes: styled.styleHashes }));
  return new Response(styled.html, { status: shown, headers });
}

/**
 * Lists the errors that a page of a signed-in area shows inside its layout: what it asked for is not there for it, its
 * form could not be read, somebody works on something else by now, or what it shows could not be read.
 */
const IN_LAYOUT = [400, 403, 404, 409, 503];

/** Tells whether there is no error, or one that a page below a loaded layout shows. */
function keepsLayout({ errors, loaderData, matches }: EntryContext["staticHandlerContext"]): boolean {
  return Object.entries(errors ?? {}).every(([boundary, error]) => {
    const layout = matches[matches.findIndex(({ route }) => route.id === boundary) - 1];
    const isLoaded = layout !== undefined && layout.route.id !== "root" && layout.route.id in loaderData;
    return isLoaded && isRouteErrorResponse(error) && IN_LAYOUT.includes(error.status);
  });
}

/** Returns the error that the page shows, if it shows one. */
const shownError = ({ errors }: EntryContext["staticHandlerContext"]) =>
  Object.values(errors ?? {}).find(isRouteErrorResponse);

/** Tells whether a page gets inline styles. Never in development, where a script reloads the style sheets. */
function hasInlineStyles({ routeModules, staticHandlerContext }: EntryContext): boolean {
  if (process.env.NODE_ENV === "development") return false;
  const handles = staticHandlerContext.matches.map(({ route }) => routeModules[route.id]?.handle as RouteHandle);
  return handles.some((handle) => handle?.inlineStyles);
}

/** Reports unexpected errors of loaders and actions to the worker, which responds with an error page. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }): void {
  if (!isRouteErrorResponse(error)) context.reportFailure(error);
}
