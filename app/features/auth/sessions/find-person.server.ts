import type { Ctx, SignedIn } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { findSignedIn } from "../queries.server";

/**
 * Finds the person of a session. If the database does not respond: throws where a person is required, and returns null
 * elsewhere, so that public pages still work.
 */
export async function findPerson(
  { db, now }: Pick<Ctx, "db" | "now">,
  sessionId: string,
  { isRequired }: { isRequired: boolean },
): Promise<SignedIn | null> {
  try {
    return await findSignedIn(db, hashToken(sessionId), now());
  } catch (error) {
    if (isRequired) throw error;
    return null;
  }
}
