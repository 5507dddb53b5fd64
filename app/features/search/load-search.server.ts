import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import { submissionPath } from "~/features/submissions/subject";
import { type TicketViewer, visibleToClient } from "~/features/tickets/access.server";
import { clientTicketPath, staffTicketPath } from "~/features/tickets/paths";
import { describeError } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { ListViewer } from "~/lists/criteria";
import { searchField } from "~/lists/define-list";
import { TOO_MANY_SEARCHES } from "~/lists/labels";
import type { Ctx } from "~/platform/context.server";
import { countSearch } from "~/platform/rate-limits.server";
import { SEARCH_FAILED, TOO_SHORT } from "./labels";
import { type HitGroup, SEARCH_MIN } from "./model";
import type { SearchPageProps } from "./search-page";

type LoadedSearch = Pick<SearchPageProps, "text" | "groups" | "problem" | "zone"> & {
  /** The page that the search names; it leads there at once. */
  jumpTo: string | null;
  retryAt: Instant | null;
};

type Reads<Viewing extends Actor> = {
  actor: Viewing;
  findPage: (text: string) => Promise<string | null>;
  search: (viewer: ListViewer & { actor: Viewing }, text: string) => Promise<HitGroup[]>;
};

const TEXT = searchField();

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

const NUMBER = /^([TL])-?(\d{1,9})$/i;

/** `T-1042`; null: none that staff may open. */
export async function findByNumber(db: Db, actor: Actor, text: string): Promise<string | null> {
  const [, letter = "", digits = ""] = NUMBER.exec(text.trim()) ?? [];
  const number = Number(digits);
  if (letter.toUpperCase() === "T" && can(actor, "ticket.handle")) {
    const [ticket] = await db.all(sql`SELECT 1 FROM support_tickets WHERE number = ${number}`);
    return ticket ? staffTicketPath(referenceNumber("ticket", number)) : null;
  }
  if (letter.toUpperCase() === "L" && can(actor, "submission.view")) {
    const [found] = await db.all<{ id: string }>(sql`SELECT id FROM contact_submissions WHERE number = ${number}`);
    return found ? submissionPath(found.id) : null;
  }
  return null;
}

/** Null: none that the client may see. */
export async function findOwnByNumber(db: Db, viewer: TicketViewer, text: string): Promise<string | null> {
  const [, letter = "", digits = ""] = NUMBER.exec(text.trim()) ?? [];
  if (letter.toUpperCase() !== "T") return null;
  const number = Number(digits);
  const [ticket] = await db.all(
    sql`SELECT 1 FROM support_tickets t WHERE t.number = ${number} AND ${visibleToClient(viewer)}`,
  );
  return ticket ? clientTicketPath(referenceNumber("ticket", number)) : null;
}
