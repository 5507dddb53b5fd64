import { asc, desc, eq, isNull, sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { purges } from "~/db/schema/privacy";
import { recordAudit } from "~/features/audit/record-audit.server";
import { identityRequest, missingProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { endArchives } from "~/features/subjects/erase-subjects.server";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { ValidationError } from "~/lib/form";
import type { CappedCount } from "~/lib/numbers";
import { days as daysOf } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { conflict, done, invalid } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { PurgeForm, parseDays } from "./forms.server";
import { moreThanShown, NOT_ADMIN_ANY_MORE, NOT_PURGED, NOTHING_TO_PURGE, PURGING } from "./labels";
import { numberShown, PURGE_PATH, type Purge, type PurgePreview } from "./model";
import {
  countOnHold,
  type Deleted,
  type DeletionContext,
  deleteSome,
  previewDeletion,
  previewRemains,
} from "./retention.server";

const SHOWN = 10;

/** The oldest first. Each part may be repeated: it deletes what is left. */
export async function continuePurges(ctx: DeletionContext): Promise<Deleted> {
  const { db } = ctx;
  const [purge] = await db
    .select()
    .from(purges)
    .where(isNull(purges.finished_at))
    .orderBy(asc(purges.requested_at))
    .limit(1);
  if (!purge) return { count: 0, more: false };
  const isThis = eq(purges.id, purge.id);
  const { count, more } = await deleteSome(ctx, {
    before: purge.quiet_since,
    action: "submission.purged",
    log: ({ submissions, files, notes }) =>
      db
        .update(purges)
        .set({
          submissions: sql`${purges.submissions} + ${submissions}`,
          files: sql`${purges.files} + ${files}`,
          notes: sql`${purges.notes} + ${notes}`,
        })
        .where(isThis),
  });
  if (more) return { count, more };
  // What is gone must not be left in an archive of everything, nor in one that was begun meanwhile.
  await commit(db, [db.update(purges).set({ finished_at: ctx.now() }).where(isThis), endArchives(db, "")]);
  // Another one may wait; the next run finds it.
  return { count, more: count > 0 };
}

const listPurges = (db: Db): Promise<Purge[]> =>
  db
    .select({
      id: purges.id,
      requestedAt: purges.requested_at,
      quietSince: purges.quiet_since,
      submissions: purges.submissions,
      files: purges.files,
      notes: purges.notes,
      onHold: purges.on_hold,
      finishedAt: purges.finished_at,
    })
    .from(purges)
    .orderBy(desc(purges.requested_at))
    .limit(SHOWN);

type Request = {
  /** Without activity. */
  days: number;
  /** Of which its author has read that they would go: see `numberShown`. */
  counted: number;
  nonce: string;
};

type Rejection =
  | { ok: false; code: "nothing_to_purge" | "denied" }
  | ({ ok: false; code: "more_than_shown" } & CappedCount);

/**
 * They go after the response and by the job `purge-submissions`. What becomes old enough later stays. The same form
 * posted twice is one purge.
 */
async function requestPurge(
  ctx: Ctx,
  actor: StaffActor,
  { days, counted, nonce }: Request,
): Promise<Result<null, never> | Rejection> {
  const at = ctx.now();
  const id = ctx.newId("prg");
  const quietSince = at - daysOf(days);
  let found: CappedCount = { count: 0, isMore: false };
  const form = { scope: "purge-submissions", key: nonce };
  const requested = await runCommand(ctx, form, {
    read: () => previewDeletion(ctx.db, quietSince),
    plan: ({ count, isMore }): Planned<Rejection["code"]> => {
      found = { count, isMore };
      if (count === 0) return fail("nothing_to_purge");
      if (numberShown(found) > counted) return fail("more_than_shown");
      const onHold = countOnHold(quietSince);
      return ok({
        resultId: id,
        expects: [{ that: isActiveAdmin(actor.userId), otherwise: "denied" }],
        statements: [
          ctx.db.insert(purges).values({ id, quiet_since: quietSince, requested_at: at, on_hold: onHold }),
          recordAudit(ctx, "submission.purge_requested", {
            subject: { type: "submission", id: null, label: null },
            meta: { count, isMore, days },
          }),
        ],
        after: () => ctx.after(continuePurges(ctx)),
      });
    },
  });
  if (requested.ok) return ok(null);
  return requested.code === "more_than_shown" ? { ok: false, code: requested.code, ...found } : fail(requested.code);
}

export const purgeActions = formActions<StaffActor, null, ValidationError>({
  reading: { raw: ["current_password"] },
  secrets: ["current_password", "code"],
})({
  purge: {
    ability: "submission.delete",
    purpose: "privacy-purge",
    form: PurgeForm,
    failed: "Failed to purge submissions",
    invalid: invalidForm(NOT_PURGED),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = { confirm: input.confirm };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const requested = await requestPurge(ctx, actor, { days: input.days, counted: input.counted, nonce });
      if (requested.ok) return done({ to: PURGE_PATH, flash: { kind: "success", ...PURGING } });
      if (requested.code === "more_than_shown") {
        return conflict({ title: NOT_PURGED, errors: { form: moreThanShown(requested) }, values: {} });
      }
      const text = requested.code === "nothing_to_purge" ? NOTHING_TO_PURGE : NOT_ADMIN_ANY_MORE;
      return invalid({ title: NOT_PURGED, errors: { form: text }, values });
    },
  },
});

export async function readPurgePage(ctx: Ctx, actor: StaffActor) {
  const text = ctx.request.url.searchParams.get("days");
  const asked = parseDays(text);
  const [preview, purges, { timeZone: zone, retention }] = await Promise.all([
    asked && "days" in asked ? readPreview(ctx, asked.days) : null,
    listPurges(ctx.db),
    getSettings(ctx.db),
  ]);
  return {
    days: text ?? String(retention.days),
    daysError: asked && "error" in asked ? asked.error : null,
    preview,
    purges,
    zone,
    identity: identityRequest(ctx, actor),
  };
}

async function readPreview({ db, now }: Ctx, days: number): Promise<PurgePreview> {
  const quietSince = now() - daysOf(days);
  const [counted, remains] = await Promise.all([previewDeletion(db, quietSince), previewRemains(db, quietSince)]);
  return { days, ...counted, ...remains };
}
