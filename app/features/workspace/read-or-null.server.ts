import { json } from "@remix-run/cloudflare";
import type { ErrorText } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";

type ReadContext = Pick<Ctx, "request" | "log">;

/**
 * Reads a part of a page that may fail by itself: the failure is logged, and the page says that the part is missing.
 */
export async function readOrNull<Value>(ctx: ReadContext, event: string, read: Promise<Value>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    logFailure(ctx, event, error);
    return null;
  }
}

/**
 * Where that fails, the failure is logged, and a response with status 503 is thrown, by which the error page of the
 * area says what could not be read. A response that the read throws itself is passed on.
 */
export async function readOrFail<Value>(
  ctx: ReadContext,
  { event, title }: { event: string; title: string },
  read: Promise<Value>,
): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Response) throw error;
    logFailure(ctx, event, error);
    const text: ErrorText = { title, text: "Part of our service is not responding. Try again in a minute." };
    throw json(text, { status: 503, headers: { "Retry-After": "5" } });
  }
}

const logFailure = ({ log, request }: ReadContext, event: string, error: unknown): void =>
  log("error", { event, request_id: request.id, error: describeError(error) });
