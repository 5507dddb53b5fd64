import { redirect } from "@remix-run/cloudflare";
import { isFresh } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { EXPORT_FAILED } from "~/features/submissions/copy";
import { csvLine, UTF8_BOM } from "~/lib/csv";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limit.server";
import { redirectWithFlash } from "~/platform/responses.server";
import { EXPORTS, type Export } from "./registry.server";

/**
 * A CSV file, read and sent piece by piece, so that memory stays flat whatever its length. The audit is written when
 * the last row has left, or when the reader has gone away. Null: there is no such file.
 */
export async function renderExport(ctx: Ctx, actor: StaffActor, file: string): Promise<Response | null> {
  const wanted = Object.hasOwn(EXPORTS, file) ? EXPORTS[file] : undefined;
  if (!wanted) return null;
  const { searchParams } = ctx.request.url;
  if (wanted.personal && !isFresh(ctx, actor)) {
    // Back to the list and not to the file: after a download the page with the password would still stand there.
    const path = `${wanted.listPath}?${new URLSearchParams([...searchParams, ["export", "ready"]])}`;
    return redirect(`/profile/confirm?redirectTo=${encodeURIComponent(path)}`);
  }
  const [limit, settings] = await Promise.all([
    takeLimit(ctx.db, "export_user", actor.userId, ctx.now()),
    getSettings(ctx.db),
  ]);
  if (!limit.allowed) return redirectWithFlash(ctx, wanted.listPath, { kind: "error", ...EXPORT_FAILED });
  const zone = settings.timeZone;
  return new Response(csvStream(ctx, actor, { wanted, params: searchParams, zone }), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${wanted.fileName(dayIn(zone, ctx.now()))}"`,
      "Cache-Control": "private, no-store",
    },
  });
}

type Source = { wanted: Export; params: URLSearchParams; zone: string };

function csvStream(ctx: Ctx, actor: StaffActor, { wanted, params, zone }: Source): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = wanted.rows(ctx, actor, { params, zone })[Symbol.asyncIterator]();
  let rows = 0;
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(UTF8_BOM + csvLine(wanted.header))),
    pull: async (controller) => {
      const page = await pages.next();
      if (page.done) {
        await wanted.record(ctx, { rows, complete: true });
        controller.close();
        return;
      }
      rows += page.value.length;
      controller.enqueue(encoder.encode(page.value.map(csvLine).join("")));
    },
    cancel: async () => {
      await wanted.record(ctx, { rows, complete: false });
    },
  });
}
