import { tooManyAttempts } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { type ActionResult, fileLimited } from "~/platform/action-result";

const EXPORT_FAILED = { title: "Export Failed", message: "Failed to export data" } as const;

/** Rejects a file to somebody who has asked for too many. `to`: address of the page that offers it. */
export function tooManyExports(to: string, { retryAt, now }: { retryAt: Instant; now: Instant }): ActionResult<never> {
  const message = `${EXPORT_FAILED.message}. ${tooManyAttempts(retryAt, now)}`;
  return fileLimited({ to, flash: { kind: "error", title: EXPORT_FAILED.title, message }, retryAt });
}
