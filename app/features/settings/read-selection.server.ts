import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import type { ListViewer } from "~/lists/criteria";
import { BulkForm, type Selection } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import type { PostedForm } from "~/platform/read-form.server";
import { readInSiteZone } from "./queries.server";

/** Describes the rows of a list, as `defineRows` returns them. */
type Rows<Filter> = {
  list: { readFilter: (params: URLSearchParams) => Filter };
  selectPosted: (values: readonly string[], actor: Actor) => Selection;
  selectMatching: (
    db: Db,
    request: { filter: Filter; viewer: ListViewer; unchangedSince?: Instant },
  ) => Promise<Selection>;
};

/**
 * Returns the rows of a bulk action: the selected ones, or the first that match the filter, as many as one action
 * takes. Rows that were created or changed after the list was read are left out of the latter.
 */
export async function readSelection<Filter>(
  ctx: Pick<Ctx, "db" | "now">,
  actor: Actor,
  { fields, lists }: PostedForm,
  { list, selectPosted, selectMatching }: Rows<Filter>,
): Promise<Selection> {
  const { target, query, readAt } = BulkForm.parse(fields);
  if (target === "selected") return selectPosted(lists.row ?? [], actor);
  const filter = list.readFilter(new URLSearchParams(query));
  const { value } = await readInSiteZone(ctx.db, (zone) =>
    selectMatching(ctx.db, { filter, viewer: { actor, zone, now: ctx.now() }, unchangedSince: readAt }),
  );
  return value;
}
