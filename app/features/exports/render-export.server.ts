import type { Actor } from "~/access/model";
import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import { getSettings, planNamesIn } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, withRedirectTo } from "~/lib/addresses";
import { type CsvCell, csvLine, UTF8_BOM } from "~/lib/csv";
import { describeError } from "~/lib/errors";
import { tooManyAttempts } from "~/lib/text";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, download, fileLimited } from "~/platform/responses.server";
import type { Export } from "./registry.server";

const EXPORT_FAILED = { title: "Export Failed", message: "Failed to export data" } as const;

const listOf = (path: string, searchParams: URLSearchParams): string => {
  searchParams.delete("ids");
  return searchParams.size === 0 ? path : `${path}?${searchParams}`;
};

export function tooManyExports(to: string, { retryAt, now }: { retryAt: Instant; now: Instant }): ActionResult<never> {
  const message = `${EXPORT_FAILED.message}. ${tooManyAttempts(retryAt, now)}`;
  return fileLimited({ to, flash: { kind: "error", title: EXPORT_FAILED.title, message }, retryAt });
}

/**
 * Read and sent in chunks, so that memory does not grow with its length. The first one is read before anything is sent:
 * what fails by then is said on the list. The audit event is written when the last row has been sent, or when the
 * download is cancelled or breaks off.
 */
export async function renderExport(ctx: Ctx, actor: SignedIn & Actor, requested: Export): Promise<ActionResult<never>> {
  const { searchParams } = ctx.request.url;
  const { list, csvExport } = requested.rows;
  if (requested.isPersonal && !hasRecentProof(ctx, actor)) {
    // Returns to the list, not to the file: a download would leave the page with the password on the screen.
    const path = `${list.path}?${new URLSearchParams([...searchParams, ["export", "ready"]])}`;
    return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, path) });
  }
  const now = ctx.now();
  const [limit, settings] = await Promise.all([
    takeLimit(ctx.db, "export_user", actor.userId, now),
    getSettings(ctx.db),
  ]);
  if (!limit.allowed) {
    return tooManyExports(listOf(list.path, searchParams), { retryAt: limit.retryAt, now });
  }
  const { timeZone: zone } = settings;
  const viewer = { actor, zone, now, names: planNamesIn(settings) };
  const lines = csvExport.lines(ctx.db, { params: searchParams, viewer });
  let first: Chunk;
  try {
    first = await lines.next();
  } catch (error) {
    logFailure(ctx, error);
    return done({ to: listOf(list.path, searchParams), flash: { kind: "error", ...EXPORT_FAILED } });
  }
  return download({
    fileName: `${list.name}-${dayIn(zone, now)}.csv`,
    contentType: "text/csv; charset=utf-8",
    content: csvStream(ctx, { ...requested, orgId: actor.membership?.organizationId ?? null }, { first, lines }),
  });
}

type Chunk = IteratorResult<CsvCell[][]>;

const logFailure = (ctx: Pick<Ctx, "log" | "request">, error: unknown) =>
  ctx.log("error", { event: "export_failed", request_id: ctx.request.id, error: describeError(error) });

function csvStream(
  ctx: Pick<Ctx, "db" | "log" | "now" | "request" | "signedIn">,
  { rows: { csvExport }, auditAction, about, orgId }: Export & { orgId: string | null },
  { first, lines }: { first: Chunk; lines: AsyncGenerator<CsvCell[][]> },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent = 0;
  let waiting: Chunk | null = first;
  const record = (complete: boolean) =>
    commit(ctx.db, [
      recordAudit(ctx, auditAction, {
        subject: { type: about, id: null, label: null },
        orgId,
        meta: { rows: sent, complete },
      }),
    ]);
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(UTF8_BOM + csvLine(csvExport.header))),
    pull: async (controller) => {
      const next = waiting ?? lines.next();
      waiting = null;
      const chunk = await Promise.resolve(next).catch(async (error: unknown) => {
        logFailure(ctx, error);
        await record(false).catch(() => undefined);
        throw error;
      });
      if (chunk.done) {
        await record(true);
        controller.close();
        return;
      }
      sent += chunk.value.length;
      controller.enqueue(encoder.encode(chunk.value.map(csvLine).join("")));
    },
    cancel: async () => {
      await record(false);
    },
  });
}
