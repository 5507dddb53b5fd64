import { describeError } from "~/lib/describe-error";
import type { Ctx } from "~/platform/context.server";

/**
 * Reads a part of a page that may fail by itself: the failure is logged, and the page says that the part is missing.
 */
export async function readOrNull<Value>(
  ctx: Pick<Ctx, "request" | "log">,
  event: string,
  read: Promise<Value>,
): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    ctx.log("error", { event, request_id: ctx.request.id, error: describeError(error) });
    return null;
  }
}
