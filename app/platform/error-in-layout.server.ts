import { isStaffRole, isVerifiedStaff } from "~/access/model";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import { describeError } from "~/lib/describe-error";
import { type ErrorText, isErrorText } from "~/lib/error-texts";
import type { Ctx } from "./context.server";
import { FLASH_COOKIE, type FlashMessage, flashValue } from "./flash.server";

/** Renders a page of the product. */
type Render = (request: Request, ctx: Ctx) => Promise<Response>;

/**
 * Renders a 403 or 404 without a page (a missing file, a denied area) inside the layout of an area that the person may
 * open: the admin area for its staff, and the portal for everybody else. The page is that of an unknown address there.
 * `text`: what it says in place of the words of its status. Returns null where there is no such layout, or it cannot be
 * rendered.
 */
export async function errorInLayout(
  ctx: Ctx,
  { response, text = null }: { response: Response; text?: ErrorText | null },
  render: Render,
): Promise<Response | null> {
  const { signedIn, request } = ctx;
  const { status } = response;
  if (status === 429 && signedIn) return limitedPage(ctx, response, render);
  const { area } = rulesFor(request.url.pathname);
  if (!signedIn || (area !== "admin" && area !== "portal") || (status !== 403 && status !== 404)) return null;
  const opensAdmin = isStaffRole(signedIn.role) && isVerifiedStaff(signedIn);
  const home = opensAdmin && area === "admin" ? ADMIN_HOME_PATH : PORTAL_HOME_PATH;
  const page = new Request(new URL(`${home}/-`, request.url));
  const reportFailure = (error: unknown) =>
    ctx.log("error", { event: "error_in_layout_failed", request_id: request.id, error: describeError(error) });
  try {
    const rendered = await render(page, { ...ctx, reportFailure, unknownAddress: { status, text } });
    return rendered.status === status && rendered.body ? rendered : null;
  } catch (error) {
    reportFailure(error);
    return null;
  }
}

/** Names the headers in which a rejected file tells the worker which page it shows instead, and with which message. */
const PAGE_HEADER = "X-Page";
const MESSAGE_HEADER = "X-Message";

/** Returns headers for the worker, which never leave it: the page to show in place of a file. */
export const pageHeaders = ({ to, flash }: { to: string; flash: FlashMessage }) => ({
  [PAGE_HEADER]: to,
  [MESSAGE_HEADER]: encodeURIComponent(JSON.stringify(flash)),
});

/**
 * Renders the page that offers a file which somebody asks for too often, with its message, as 429. Null: there is none.
 */
async function limitedPage(ctx: Ctx, response: Response, render: Render): Promise<Response | null> {
  const [to, message] = [PAGE_HEADER, MESSAGE_HEADER].map((name) => response.headers.get(name));
  if (!to || !message) return null;
  const url = new URL(to, ctx.request.url);
  const flash = JSON.parse(decodeURIComponent(message)) as FlashMessage;
  const cookies = new Map([...ctx.request.cookies, [FLASH_COOKIE, flashValue(ctx, flash)]]);
  const page = await render(new Request(url), { ...ctx, request: { ...ctx.request, url, cookies } });
  if (page.status !== 200) return null;
  const shown = new Response(page.body, { status: 429, headers: page.headers });
  shown.headers.set("Retry-After", response.headers.get("Retry-After") ?? "");
  return shown;
}

/**
 * Returns why somebody gets no file, or why a form without a page was not taken: its route has thrown what a page would
 * show in its error boundary. Null: it is no such response.
 */
export async function textWithoutPage(response: Response, url: URL): Promise<ErrorText | null> {
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  if (response.status < 400 || url.searchParams.has("_data") || !isJson) return null;
  const body = await response.clone().json();
  return isErrorText(body) ? body : null;
}
