import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { NonceContext } from "./ui/nonce";

/**
 * Renders every page to a string. A stream costs a multiple of the CPU in workerd, because each of its thousands of
 * small chunks is encoded by itself (docs/decisions/0002-render-to-string.md).
 */
export default function handleDocumentRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Response {
  // A refusal thrown at a route's door: the worker puts its own page in the place of it.
  if (remixContext.staticHandlerContext.errors) return new Response(null, { status });
  const markup = renderToString(
    <NonceContext.Provider value={context.request.nonce}>
      <RemixServer context={remixContext} url={request.url} />
    </NonceContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(`<!DOCTYPE html>${markup}`, { status, headers });
}

/** What a loader or action threw and did not mean to: the worker's last resort decides how to answer. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }): void {
  if (!isRouteErrorResponse(error)) context.reportFailure(error);
}
