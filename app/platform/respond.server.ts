import { json, type TypedResponse } from "@remix-run/cloudflare";
import { assertNever } from "~/lib/errors";
import type { Ctx } from "./context.server";
import { pageHeaders } from "./failure-pages.server";
import { setFlash } from "./flash.server";
import { type ActionResult, type Download, redirectWithin, retryAfter } from "./responses.server";

export function respond<Body>(
  ctx: Pick<Ctx, "config" | "now" | "setCookie">,
  result: ActionResult<Body>,
): TypedResponse<Body> {
  switch (result.outcome) {
    case "done": {
      if (result.flash) setFlash(ctx, result.flash);
      const headers = new Headers(result.clearSiteData ? { "Clear-Site-Data": result.clearSiteData } : undefined);
      return redirectWithin(result.to, { headers, newDocument: result.newDocument });
    }
    case "forwarded":
      return redirectWithin(result.to, { status: 307 });
    case "page":
      return json(result.body, { status: result.status });
    case "invalid":
      return json(result.body, { status: 400 });
    case "conflict":
      return json(result.body, { status: 409 });
    case "rate_limited": {
      const headers = { "Retry-After": retryAfter(result.retryAt, ctx.now()) };
      // A form without a page of its own, such as a download.
      if (result.body === null) throw new Response(null, { status: 429, headers });
      return json(result.body, { status: 429, headers });
    }
    case "file_limited": {
      const headers = { "Retry-After": retryAfter(result.retryAt, ctx.now()), ...pageHeaders(result) };
      return new Response(null, { status: 429, headers }) as TypedResponse<never>;
    }
    case "unavailable":
      return json(result.body, { status: 503, headers: { "Retry-After": retryAfter(result.retryAt, ctx.now()) } });
    case "denied":
      throw new Response(null, { status: 403, statusText: "Access Denied" });
    case "not_found":
      throw new Response(null, { status: 404 });
    case "bad_request":
      throw json(result.text, { status: 400 });
    case "download":
      return new Response(result.content, {
        status: result.status,
        headers: downloadHeaders(result),
      }) as TypedResponse<never>;
    default:
      return assertNever(result);
  }
}

function downloadHeaders({ fileName, contentType, size, isInline, headers: own }: Download): Headers {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, hex);
  const headers = new Headers({
    ...own,
    "Content-Type": contentType ?? "application/octet-stream",
    "Content-Disposition": `${isInline ? "inline" : "attachment"}; filename="${plain}"${plain === fileName ? "" : `; filename*=UTF-8''${encoded}`}`,
    "Cache-Control": "private, no-store",
  });
  if (contentType === undefined || isInline) headers.set("Content-Security-Policy", "sandbox; default-src 'none'");
  if (size !== undefined) headers.set("Content-Length", String(size));
  return headers;
}
