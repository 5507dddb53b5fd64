import { json, type TypedResponse } from "@remix-run/cloudflare";
import type { Actor } from "~/access/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import { significantParams } from "~/lib/addresses";
import type { ErrorText } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import { areDatesReversed } from "~/lists/criteria";
import type { ListRequest } from "~/lists/define-rows.server";
import { TOO_MANY_SEARCHES } from "~/lists/labels";
import { fileContent, type LoadedList, type MatchCount } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { countSearch } from "~/platform/rate-limits.server";
import { redirectWithin, retryInit } from "~/platform/responses.server";

type RoutedList<Filter> = {
  name: string;
  path: string;
  defaults: Readonly<Record<string, string>>;
  readFilter: (params: URLSearchParams) => Filter;
  exportPath: (params: URLSearchParams) => string;
  noun: { one: string; many: string };
};

type Reads<Filter, Read, More> = {
  failed: string;
  /** Reads the rows, and what else depends on them, in one round trip. It may be called twice. */
  read: (request: ListRequest<Filter>) => Promise<Read>;
  more?: (filter: Filter) => More | Promise<More>;
};

/**
 * Throws a redirect to the address without empty parameters. Days in the wrong order are kept, and answered with
 * status 400. Who may open the page is up to the guard of the route.
 */
export async function loadList<
  Filter extends { q?: string; sort: string; from?: string | null; to?: string | null },
  Read extends { total: MatchCount },
  More extends object,
>(
  ctx: Ctx,
  actor: Actor,
  definition: RoutedList<Filter>,
  { read, failed, more }: Reads<Filter, Read, More>,
): Promise<TypedResponse<LoadedList<Filter, Read> & More>> {
  const { searchParams } = ctx.request.url;
  const shorter = shorterPath(definition, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = definition.readFilter(searchParams);
  const page = pageRequest(searchParams);
  const reading = readInSiteZone(ctx.db, (zone) => read({ filter, page, viewer: { actor, zone, now: ctx.now() } }));
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [list, retryAt, added] = await Promise.all([
    readOrNull(
      ctx,
      `${definition.name}_list_failed`,
      reading.then(({ value }) => value),
    ),
    countSearch(ctx, actor.userId, filter.q ?? null),
    more?.(filter),
  ]);
  const file = searchParams.get("export") === "ready" ? definition.exportPath(searchParams) : null;
  const loaded = {
    filter,
    list: retryAt === null ? list : null,
    isLimited: retryAt !== null,
    size: page.size,
    problem: retryAt === null ? failed : TOO_MANY_SEARCHES,
    file: file === null ? null : { to: file, content: fileContent(file, list?.total, definition.noun) },
  };
  const init = retryAt === null && areDatesReversed(filter) ? { status: 400 } : retryInit(retryAt, ctx.now());
  return json({ ...loaded, ...added } as LoadedList<Filter, Read> & More, init);
}

type Address = { path: string; defaults: Readonly<Record<string, string>> };

export function shorterPath({ path, defaults }: Address, params: URLSearchParams): string | null {
  if (![...params.values()].includes("")) return null;
  const query = significantParams(params, defaults).toString();
  return query ? `${path}?${query}` : path;
}

type ReadContext = Pick<Ctx, "request" | "log">;

/**
 * Reads a part of a page that may fail by itself: the failure is logged, and the page says that the part is missing.
 */
export async function readOrNull<Value>(ctx: ReadContext, event: string, read: Promise<Value>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    logFailure(ctx, event, error);
    return null;
  }
}

/**
 * Where that fails, the failure is logged, and a response with status 503 is thrown, by which the error page of the
 * area says what could not be read. A response that the read throws itself is passed on.
 */
export async function readOrFail<Value>(
  ctx: ReadContext,
  { event, title }: { event: string; title: string },
  read: Promise<Value>,
): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Response) throw error;
    logFailure(ctx, event, error);
    const text: ErrorText = { title, text: "Part of our service is not responding. Try again in a minute." };
    throw json(text, { status: 503, headers: { "Retry-After": "5" } });
  }
}

const logFailure = ({ log, request }: ReadContext, event: string, error: unknown): void =>
  log("error", { event, request_id: request.id, error: describeError(error) });
