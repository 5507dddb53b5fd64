import type { TypedResponse } from "@remix-run/cloudflare";
import type { Actor } from "~/access/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import { areDatesReversed } from "~/lists/criteria";
import type { ListRequest } from "~/lists/define-rows.server";
import { fileContent, type MatchCount } from "~/lists/match-count";
import type { LoadedFile } from "~/lists/model";
import type { PageSize } from "~/lists/page-size";
import { pageRequest } from "~/lists/paging.server";
import { shorterPath } from "~/lists/shorter-path.server";
import type { Ctx } from "~/platform/context.server";
import { pageData } from "~/platform/page-data.server";
import { countSearch } from "~/platform/rate-limits.server";
import { redirectWithin, retryInit } from "~/platform/route-responses.server";
import { readOrNull } from "./read-or-null.server";

/** Describes what is used of the part of a list that browser and server share, as `defineList` returns it. */
type RoutedList<Filter> = {
  name: string;
  path: string;
  defaults: Readonly<Record<string, string>>;
  readFilter: (params: URLSearchParams) => Filter;
  exportPath: (params: URLSearchParams) => string;
  noun: { one: string; many: string };
};

type Reads<Filter, Read, More> = {
  /** Says that the rows could not be read. */
  failed: string;
  /** Reads the rows, and what else depends on them, in one round trip. It may be called twice. */
  read: (request: ListRequest<Filter>) => Promise<Read>;
  /** Adds what only this page has, such as tokens of its forms. What it reads shares the round trip. */
  more?: (filter: Filter) => More | Promise<More>;
};

type LoadedList<Filter, Read> = {
  filter: Filter;
  /** Holds the rows; null: the read has failed, or somebody searches too often. */
  list: Read | null;
  isLimited: boolean;
  /** Says why there is no list, if there is none. */
  problem: string;
  size: PageSize;
  /** Holds the file somebody had asked for before they had to prove who they are. */
  file: LoadedFile | null;
};

/**
 * Loads the page of a list for its route, which `ListPage` shows. Throws a redirect to the address without empty
 * parameters. Days in the wrong order are kept, and answered with status 400. Who may open the page is up to the guard
 * of the route.
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
  return pageData({ ...loaded, ...added } as LoadedList<Filter, Read> & More, init);
}
