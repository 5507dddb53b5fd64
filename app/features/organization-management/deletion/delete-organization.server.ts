import { and, eq, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { claimKey, commit, expectRow, expectThat, findClaim } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/still-allowed.server";
import { eraseRestOfSubjects, rememberRest } from "~/features/subjects/erase-rest.server";
import { eraseTexts } from "~/features/subjects/erase-subjects.server";
import { isOrganizationHeld, isTrue } from "~/features/subjects/legal-hold.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { findRecord } from "../record/queries.server";

type Deletion = {
  organizationId: string;
  /** Holds the version whose deletion was confirmed. */
  version: number;
  nonce: string;
};

/**
 * Deletes an organization with its memberships, invitations and domains, the notes about it, and the live events that
 * name it, in one batch; its audit events stay, without its name. Nobody has access through it from the next request
 * on, and open sockets are closed. Its files and queued mails follow after the response, or by the job `erase-deleted`.
 */
export async function deleteOrganization(
  ctx: Pick<Ctx, "budget" | "db" | "now" | "request" | "signedIn" | "live" | "files" | "after">,
  actor: StaffActor,
  { organizationId: id, version, nonce }: Deletion,
): Promise<Result<null, "organization_not_found" | "organization_on_hold" | "organization_changed">> {
  const { db } = ctx;
  const found = await findRecord(db, id);
  const audience = organizationAudience(id);
  const unchangedRow = and(eq(organizations.id, id), eq(organizations.version, version));
  const subject = { type: "organization", id } as const;
  const written =
    found !== null &&
    (await commit(db, [
      ...claimKey(db, { key: nonce, scope: "organization-delete", resultLocation: id, at: ctx.now() }),
      expectThat(db, stillAllowed(actor, "organization.delete", id)),
      expectRow(db, organizations, unchangedRow),
      expectThat(db, sql`NOT ${isOrganizationHeld(id)}`),
      recordAudit(ctx, "organization.deleted", {
        subject: { ...subject, label: null },
        orgId: id,
        meta: { members: found.allMembers, tickets: found.tickets },
      }),
      db.delete(liveEvents).where(eq(liveEvents.audience, audience)),
      db.delete(organizations).where(unchangedRow),
      ...eraseTexts(db, "organization", sql`SELECT ${id}`),
      rememberRest(ctx, subject),
    ]));
  if (written) {
    // The hub asks whether each of its sockets may still listen: none of them may.
    ctx.after(ctx.live.notify(audience));
    ctx.after(eraseRestOfSubjects(ctx));
    return ok(null);
  }
  if ((await findClaim(db, nonce, "organization-delete")) !== null) return ok(null);
  if ((await findRecord(db, id)) === null) return fail("organization_not_found");
  return (await isTrue(db, isOrganizationHeld(id))) ? fail("organization_on_hold") : fail("organization_changed");
}
