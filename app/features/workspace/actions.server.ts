import { and, eq, inArray, lte, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { commit, expectNoRow } from "~/db/client.server";
import { savedViews } from "~/db/schema/accounts";
import { liveDismissals, liveEvents, liveReaders } from "~/db/schema/live";
import type { StaffActor } from "~/features/auth/guards.server";
import { notificationActions } from "~/features/notifications/actions.server";
import { NOTIFICATIONS_NOT_UPDATED } from "~/features/notifications/labels";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { fail, invariant, ok, type Result } from "~/lib/errors";
import { safePath } from "~/lib/safe-path";
import type { Ctx, SignedIn } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import { type FormProblem, formActions, reasonOf } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, badRequest, done } from "~/platform/responses.server";
import { VIEW_DELETED, VIEW_NOT_SAVED, VIEW_SAVED } from "./labels";
import { VIEW_NAME_MAX, VIEWS_LIMIT } from "./model";
import { SAVED_LISTS, type SavedList } from "./queries.server";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const DismissForm = z.object({ seq });

const DismissAllForm = z.object({ through: seq });

const SaveViewForm = z.object({
  list: z.enum(Object.keys(SAVED_LISTS) as [SavedList, ...SavedList[]]),
  name: z.string().trim().min(1).max(VIEW_NAME_MAX),
  query: z.string().max(1_000),
  shared: z.literal("on").optional(),
});

const DeleteViewForm = z.object({ id: z.string().max(60) });

/** One that they have saved like this is not saved twice, whether its form is sent again or filled in again. */
export async function saveView(
  ctx: Pick<Ctx, "db" | "now" | "newId">,
  actor: SignedIn & Actor,
  { list, name, query, shared }: { list: SavedList; name: string; query: string; shared: boolean },
): Promise<Result<null, "list_not_found" | "too_many_views">> {
  if (!can(actor, SAVED_LISTS[list].ability)) return fail("list_not_found");
  const { userId } = actor;
  const id = ctx.newId("view");
  const at = ctx.now();
  const [own] = await ctx.db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(savedViews)
    .where(and(eq(savedViews.list, list), eq(savedViews.owner_id, userId)));
  if ((own?.count ?? 0) >= VIEWS_LIMIT) return fail("too_many_views");
  const row = { list, owner_id: userId, shared: shared ? 1 : 0, name, query };
  const isSame = sql`${savedViews.list} = ${list} and ${savedViews.owner_id} = ${userId}
    and ${savedViews.shared} = ${row.shared} and ${savedViews.name} = ${name} and ${savedViews.query} = ${query}`;
  await commit(ctx.db, [
    expectNoRow(ctx.db, savedViews, isSame),
    ctx.db.insert(savedViews).values({ id, ...row, created_at: at }),
  ]);
  return ok(null);
}

/** A second time has no effect, and views of others stay. */
export async function deleteSavedView(ctx: Pick<Ctx, "db">, actor: SignedIn & Actor, id: string): Promise<void> {
  const lists = Object.entries(SAVED_LISTS).flatMap(([name, { ability }]) => (can(actor, ability) ? [name] : []));
  const isOwn = and(eq(savedViews.id, id), eq(savedViews.owner_id, actor.userId));
  await ctx.db.delete(savedViews).where(and(isOwn, inArray(savedViews.list, lists)));
}

/** A second time has no effect. */
export async function dismissLiveUpdate(ctx: Pick<Ctx, "db" | "signedIn">, seq: number): Promise<void> {
  // Only what exists can be dismissed: numbers of the future must not be silenced in advance.
  const exists = and(eq(liveEvents.seq, seq), eq(liveEvents.audience, "staff"));
  await ctx.db
    .insert(liveDismissals)
    .select(sql`select ${userIdOf(ctx)}, ${liveEvents.seq} from ${liveEvents} where ${exists}`)
    .onConflictDoNothing();
}

/**
 * Dismisses all updates up to the newest one the person has seen. Later ones, from while the page was open without a
 * socket, stay.
 */
export async function dismissAllLiveUpdates(ctx: Pick<Ctx, "db" | "signedIn">, throughSeq: number): Promise<void> {
  const userId = userIdOf(ctx);
  const through = sql`min(${throughSeq}, coalesce(max(${liveEvents.seq}), 0))`;
  await commit(ctx.db, [
    ctx.db
      .insert(liveReaders)
      .select(sql`select ${userId}, ${through} from ${liveEvents} where ${liveEvents.audience} = 'staff'`)
      .onConflictDoUpdate({
        target: liveReaders.user_id,
        // A page that has been open for long must not bring back what a newer one has dismissed.
        set: { dismissed_through: sql`max(${liveReaders.dismissed_through}, excluded.dismissed_through)` },
      }),
    // Single dismissals up to there say nothing any more.
    ctx.db.delete(liveDismissals).where(and(eq(liveDismissals.user_id, userId), lte(liveDismissals.seq, throughSeq))),
  ]);
}

function userIdOf(ctx: Pick<Ctx, "signedIn">): string {
  invariant(ctx.signedIn, "Live updates are dismissed behind a guard");
  return ctx.signedIn.userId;
}

export const LIVE_PURPOSE = "live";
export const VIEW_PURPOSE = "saved-view";

const back = ({ fields }: PostedForm, flash?: FlashMessage): ActionResult<never> =>
  done({ to: safePath(fields.return_to, ["admin", "account"], SUBMISSIONS_PATH), flash });

const liveUpdateActions = formActions<StaffActor, null, never>()({
  dismiss: {
    purpose: LIVE_PURPOSE,
    failed: NOTIFICATIONS_NOT_UPDATED,
    form: DismissForm,
    invalid: badRequest,
    run: async (ctx, _actor, { input, ...posted }) => {
      await dismissLiveUpdate(ctx, input.seq);
      return back(posted);
    },
  },
  dismiss_all: {
    purpose: LIVE_PURPOSE,
    failed: NOTIFICATIONS_NOT_UPDATED,
    form: DismissAllForm,
    invalid: badRequest,
    run: async (ctx, _actor, { input, ...posted }) => {
      await dismissAllLiveUpdates(ctx, input.through);
      return back(posted);
    },
  },
});

export const staffNotificationActions = formActions<StaffActor, null, never>()({
  ...liveUpdateActions.actions,
  ...notificationActions.actions,
});

const notSaved = (message: string, posted: PostedForm) => back(posted, { kind: "error", title: "Error", message });
const invalidView = (problem: FormProblem, posted: PostedForm) => notSaved(reasonOf(problem, VIEW_NOT_SAVED), posted);

export const savedViewActions = formActions<StaffActor, null, never>()({
  save: {
    purpose: VIEW_PURPOSE,
    failed: "Failed to save the view",
    form: SaveViewForm,
    invalid: invalidView,
    run: async (ctx, actor, { input, ...posted }) => {
      const saved = await saveView(ctx, actor, { ...input, shared: input.shared === "on" });
      return saved.ok ? back(posted, { kind: "success", ...VIEW_SAVED }) : notSaved(VIEW_NOT_SAVED, posted);
    },
  },
  delete: {
    purpose: VIEW_PURPOSE,
    failed: "Failed to delete the view",
    form: DeleteViewForm,
    invalid: invalidView,
    run: async (ctx, actor, { input, ...posted }) => {
      await deleteSavedView(ctx, actor, input.id);
      return back(posted, { kind: "success", ...VIEW_DELETED });
    },
  },
});
