import type { Actor } from "~/access/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import { describeError } from "~/lib/describe-error";
import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import type { ListViewer } from "~/lists/criteria";
import { searchField } from "~/lists/fields";
import type { Ctx } from "~/platform/context.server";
import { countSearch } from "~/platform/search-limit.server";
import { SEARCH_FAILED, TOO_SHORT } from "./copy";
import { type HitGroup, SEARCH_MIN } from "./model";
import type { SearchPageProps } from "./ui/search-page";

type LoadedSearch = Pick<SearchPageProps, "text" | "groups" | "problem" | "zone"> & {
  /** Holds the page that the search names, to which it leads at once. */
  jumpTo: string | null;
  retryAt: Instant | null;
};

type Reads<Viewing extends Actor> = {
  actor: Viewing;
  findPage: (text: string) => Promise<string | null>;
  search: (viewer: ListViewer & { actor: Viewing }, text: string) => Promise<HitGroup[]>;
};

const TEXT = searchField();

/**
 * Loads the page of a search: counts it, looks whether it is the number of something, and searches. What fails is
 * logged, and the page says so.
 */
export async function loadSearch<Viewing extends Actor & { userId: string }>(
  ctx: Ctx,
  { actor, findPage, search }: Reads<Viewing>,
): Promise<LoadedSearch> {
  const text = TEXT.parse(ctx.request.url.searchParams.get("q") ?? "");
  const isLong = [...fold(text)].length >= SEARCH_MIN;
  const reading = readInSiteZone(ctx.db, async (zone) =>
    isLong ? search({ actor, zone, now: ctx.now() }, text) : null,
  );
  const nothing = { text, groups: null, jumpTo: null, retryAt: null, zone: "UTC" };
  try {
    const [{ settings, value }, jumpTo, retryAt] = await Promise.all([
      reading,
      findPage(text),
      countSearch(ctx, actor.userId, text),
    ]);
    const shown = { ...nothing, zone: settings.timeZone };
    if (retryAt !== null) return { ...shown, retryAt, problem: { message: TOO_MANY_SEARCHES, isFailure: true } };
    if (jumpTo !== null) return { ...shown, jumpTo, problem: null };
    const problem = text && !isLong ? { message: TOO_SHORT, isFailure: false } : null;
    return { ...shown, groups: value, problem };
  } catch (error) {
    ctx.log("error", { event: "search_failed", request_id: ctx.request.id, error: describeError(error) });
    return { ...nothing, problem: { message: SEARCH_FAILED, isFailure: true } };
  }
}
