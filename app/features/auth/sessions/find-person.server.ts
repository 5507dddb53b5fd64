import type { Ctx, SignedIn } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { findSignedIn } from "../queries.server";

/**
 * Finds the person of a session. On public addresses null if the database does not respond, so that they still work;
 * elsewhere it throws.
 */
export async function findPerson(
  ctx: Pick<Ctx, "db" | "now">,
  sessionId: string,
  needsAccount: boolean,
): Promise<SignedIn | null> {
  try {
    return await findSignedIn(ctx.db, hashToken(sessionId), ctx.now());
  } catch (error) {
    if (needsAccount) throw error;
    return null;
  }
}
