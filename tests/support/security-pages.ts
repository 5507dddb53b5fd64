import { mfaAuditLog } from "~/db/schema/security";
import { loader as monitoring } from "~/routes/_admin.admin.security._index";
import type { TestContext } from "./context";
import type { Person } from "./factories";
import { args, get } from "./requests";

/** Returns what the first page of the security center shows. Throws where it could not be read. */
export async function openMonitoring(ctx: TestContext) {
  const { monitoring: read } = await (await monitoring(args(ctx, get("/admin/security")))).json();
  if (!read) throw new Error("The page could not be read");
  return read;
}

type Event = { ago: number; failure?: string; action?: string; method?: string; ip?: string };

/** Records an MFA event of a person, `ago` milliseconds before the time of the context; failed with a `failure`. */
export const recordMfaEvent = (
  ctx: TestContext,
  { id }: Pick<Person, "id">,
  { ago, failure, action = "verify_challenge", method = "totp", ip = "203.0.113.7" }: Event,
) =>
  ctx.db.insert(mfaAuditLog).values({
    ...{ user_id: id, action, method, ip_address: ip, created_at: ctx.now() - ago },
    ...{ success: failure ? 0 : 1, failure_reason: failure ?? null },
  });
