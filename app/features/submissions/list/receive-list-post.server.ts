import { redirect } from "@remix-run/cloudflare";
import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import { parseForm } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { BULK_LIMIT } from "~/lists/bulk";
import { BulkForm, type Picked, pickedRows } from "~/lists/picked.server";
import type { Ctx } from "~/platform/context.server";
import { checkFormToken } from "~/platform/form-token.server";
import type { PostedForm } from "~/platform/read-form.server";
import { redirectWithFlash } from "~/platform/responses.server";
import { changeSubmissionStatus } from "../change-submission-status.server";
import {
  bulkReleased,
  bulkUpdated,
  NONE_SELECTED,
  NOT_UPDATED,
  RELEASED,
  STATUS_NOT_UPDATED,
  STATUS_UPDATED,
} from "../copy";
import { RowStatusForm, StatusForm } from "../forms.server";
import { releaseHeld } from "../release-held.server";
import { changeSubmissionStatuses } from "./change-submission-statuses.server";
import { submissionList } from "./definition";
import { submissionRows } from "./definition.server";
import { releaseManyHeld } from "./release-many-held.server";

/** One token serves every form of the list: the rows and the bulk bar. */
export const LIST_PURPOSE = "submission-list";

/** The list the form came from, or the whole list. */
export const backToList = (fields: Record<string, string>): string =>
  safePath(fields.return_to, ["/admin"], "/admin/submissions");

const error = (message: string) => ({ kind: "error" as const, title: "Error", message });

/** Carries out what was asked for on the list, and leads back to it. */
export async function receiveListPost(ctx: Ctx, actor: StaffActor, posted: PostedForm): Promise<Response> {
  const { intent } = posted.fields;
  if (intent === "bulk-status") return receiveBulkStatus(ctx, actor, posted);
  if (intent === "export") return receiveBulkExport(ctx, actor, posted);
  if (intent === "bulk-release") return receiveBulkRelease(ctx, actor, posted);
  if (intent === "release") return receiveRelease(ctx, actor, posted);
  return receiveRowStatus(ctx, actor, posted);
}

async function receiveRowStatus(ctx: Ctx, actor: StaffActor, { fields }: PostedForm): Promise<Response> {
  const token = checkFormToken(ctx, LIST_PURPOSE, fields.form_token);
  const input = parseForm(RowStatusForm, fields);
  const back = backToList(fields);
  if (!token.ok || !input.ok) return redirectWithFlash(ctx, back, error(STATUS_NOT_UPDATED));
  const { id, status } = input.value;
  // All rows of a page share a token; without the row in the key the second row saved would count as the first again.
  const nonce = `${token.value.nonce}:${id}:${status}`;
  const changed = await changeSubmissionStatus(ctx, actor, { submissionId: id, status, nonce });
  if (!changed.ok) return redirectWithFlash(ctx, back, error(STATUS_NOT_UPDATED));
  return redirectWithFlash(ctx, `${back}#${id}`, { kind: "success", ...STATUS_UPDATED });
}

async function receiveRelease(ctx: Ctx, actor: StaffActor, { fields }: PostedForm): Promise<Response> {
  if (!can(actor, "submission.release_held")) throw new Response(null, { status: 403, statusText: "Access Denied" });
  const token = checkFormToken(ctx, LIST_PURPOSE, fields.form_token);
  const submissionId = fields.id ?? "";
  const back = backToList(fields);
  if (!token.ok) return redirectWithFlash(ctx, back, error(STATUS_NOT_UPDATED));
  const released = await releaseHeld(ctx, actor, { submissionId, nonce: `${token.value.nonce}:${submissionId}` });
  if (!released.ok) return redirectWithFlash(ctx, back, error(STATUS_NOT_UPDATED));
  return redirectWithFlash(ctx, back, { kind: "success", ...RELEASED });
}

async function receiveBulkStatus(ctx: Ctx, actor: StaffActor, posted: PostedForm): Promise<Response> {
  const { fields } = posted;
  const token = checkFormToken(ctx, LIST_PURPOSE, fields.form_token);
  const input = parseForm(StatusForm, fields);
  const back = backToList(fields);
  if (!token.ok || !input.ok) return redirectWithFlash(ctx, back, error(NOT_UPDATED));
  const picked = await pickedOf(ctx, actor, posted);
  if (picked.length === 0) return redirectWithFlash(ctx, back, error(NONE_SELECTED));
  if (picked.length > BULK_LIMIT) return redirectWithFlash(ctx, back, error(NOT_UPDATED));
  const { status } = input.value;
  const { changed, skipped } = await changeSubmissionStatuses(ctx, actor, {
    picked,
    status,
    nonce: token.value.nonce,
  });
  return redirectWithFlash(ctx, back, { kind: "success", ...bulkUpdated(changed, status, skipped) });
}

async function receiveBulkRelease(ctx: Ctx, actor: StaffActor, posted: PostedForm): Promise<Response> {
  if (!can(actor, "submission.release_held")) throw new Response(null, { status: 403, statusText: "Access Denied" });
  const { fields } = posted;
  const token = checkFormToken(ctx, LIST_PURPOSE, fields.form_token);
  const back = backToList(fields);
  if (!token.ok) return redirectWithFlash(ctx, back, error(NOT_UPDATED));
  const picked = await pickedOf(ctx, actor, posted);
  if (picked.length === 0) return redirectWithFlash(ctx, back, error(NONE_SELECTED));
  if (picked.length > BULK_LIMIT) return redirectWithFlash(ctx, back, error(NOT_UPDATED));
  const { changed, skipped } = await releaseManyHeld(ctx, actor, { picked, nonce: token.value.nonce });
  return redirectWithFlash(ctx, back, { kind: "success", ...bulkReleased(changed, skipped) });
}

/** Leads on to the file, which is an address of its own; chosen rows travel in it, a filter as itself. */
async function receiveBulkExport(ctx: Ctx, actor: StaffActor, posted: PostedForm): Promise<Response> {
  const { fields, lists } = posted;
  const back = backToList(fields);
  if (!can(actor, "submission.export")) throw new Response(null, { status: 403, statusText: "Access Denied" });
  const file = "/admin/exports/submissions.csv";
  const { scope, query } = BulkForm.parse(fields);
  if (scope === "all")
    return redirect(`${file}?${submissionList.query(submissionList.readFilter(new URLSearchParams(query)))}`, 303);
  const ids = pickedRows(lists.row ?? []).map(({ id }) => id);
  if (ids.length === 0) return redirectWithFlash(ctx, back, error(NONE_SELECTED));
  return redirect(`${file}?ids=${ids.slice(0, BULK_LIMIT).join(",")}`, 303);
}

/**
 * What a bulk action is about: the ticked rows, or all that match the filter and have not changed since the list was
 * drawn, newest first and as many as one action takes.
 */
export async function pickedOf(ctx: Ctx, actor: StaffActor, { fields, lists }: PostedForm): Promise<Picked[]> {
  const { scope, query, drawn_at } = BulkForm.parse(fields);
  if (scope === "ticked") return pickedRows(lists.row ?? []);
  const filter = submissionList.readFilter(new URLSearchParams(query));
  const { value } = await readInSiteZone(ctx.db, (zone) =>
    submissionRows.pick(ctx.db, {
      ...submissionRows.scopeOf(filter, { zone, now: ctx.now(), userId: actor.userId }),
      unchangedSince: drawn_at,
    }),
  );
  return value;
}
