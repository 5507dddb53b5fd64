import { eq, type SQL, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { countUpTo } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import { identityRequest, missingProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { isInternalNote, isPublic } from "~/features/conversation/internal-notes.server";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { endArchives, eraseRestOfSubjects, eraseTexts, rememberRest } from "~/features/subjects/erase-subjects.server";
import { isOrganizationOnHold } from "~/features/subjects/legal-hold.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { ValidationError } from "~/lib/form";
import { type CappedCount, capped } from "~/lib/numbers";
import { asShown } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { conflict, done, invalid, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { DeleteOrganizationForm } from "./forms.server";
import {
  FORM_COPY,
  ORGANIZATION_CHANGED,
  ORGANIZATION_DELETED,
  ORGANIZATION_NOT_DELETED,
  ORGANIZATION_ON_HOLD,
} from "./labels";
import { findDetails, findRecord } from "./queries.server";

/** Limits how far is counted what no counter maintains. */
const COUNTED_TO = 1_000;

export async function readDeletion(ctx: Pick<Ctx, "db" | "now" | "request">, actor: StaffActor, id: string) {
  const ofTickets = (rows: SQL) =>
    counted(sql`support_tickets t INDEXED BY organization_tickets CROSS JOIN ${rows} WHERE t.organization_id = ${id}`);
  const counted = (rows: SQL) => countUpTo(sql`SELECT 1 FROM ${rows}`, COUNTED_TO);
  const [organization, [found]] = await Promise.all([
    findRecord(ctx.db, id),
    ctx.db.all<Record<"messages" | "ticketNotes" | "files" | "letters" | "notes" | "bytes", number>>(sql`
      SELECT ${ofTickets(sql`ticket_messages m ON m.ticket_id = t.id AND ${isPublic()}`)} AS messages,
        ${ofTickets(sql`ticket_messages m ON m.ticket_id = t.id AND ${isInternalNote()}`)} AS ticketNotes,
        ${ofTickets(sql`attachments f ON f.subject_type = 'ticket' AND f.subject_id = t.id`)} AS files,
        ${counted(sql`letters WHERE organization_id = ${id}`)} AS letters,
        ${counted(sql`admin_notes WHERE subject_type = 'organization' AND subject_id = ${id}`)} AS notes,
        coalesce((SELECT file_bytes FROM ticket_counts WHERE organization_id = ${id}), 0) AS bytes`),
  ]);
  if (!organization || !found) return null;
  const { name, version, allMembers, tickets, domains } = organization;
  const count = (value: number): CappedCount => capped(value, COUNTED_TO);
  return {
    organization: {
      ...{ id, name, version, tickets },
      members: allMembers,
      domains: domains.length,
      messages: count(found.messages),
      files: count(found.files),
      fileBytes: found.bytes,
      letters: count(found.letters),
      notes: count(Math.min(found.notes + found.ticketNotes, COUNTED_TO + 1)),
    },
    identity: identityRequest(ctx, actor),
  };
}

type DeletionError = "organization_not_found" | "organization_on_hold" | "organization_changed";

/**
 * Deletes an organization with its memberships, invitations and domains, the notes about it, and the live events that
 * name it, in one batch; its audit events stay, without its name. Nobody has access through it from the next request
 * on, and open sockets are closed. Its files and queued mails follow after the response, or by the job `erase-deleted`.
 */
export async function deleteOrganization(
  ctx: Pick<Ctx, "budget" | "db" | "now" | "request" | "signedIn" | "live" | "files" | "after">,
  actor: StaffActor,
  { organizationId: id, version, nonce }: { organizationId: string; version: number; nonce: string },
): Promise<Result<null, DeletionError>> {
  const { db } = ctx;
  const audience = organizationAudience(id);
  const subject = { type: "organization", id } as const;
  const exists = (condition: SQL) => sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${id} AND ${condition})`;
  const form = { scope: "organization-delete", key: nonce };
  const deleted = await runCommand(ctx, form, {
    read: () => findRecord(db, id),
    plan: (found): Planned<DeletionError> => {
      if (!found) return fail("organization_not_found");
      return ok({
        resultId: id,
        expects: [
          { that: exists(sql`1`), otherwise: "organization_not_found" },
          { that: sql`NOT ${isOrganizationOnHold(id)}`, otherwise: "organization_on_hold" },
          { that: exists(sql`version = ${version}`), otherwise: "organization_changed" },
          { that: stillAllowed(actor, "organization.delete", id), otherwise: "organization_changed" },
        ],
        statements: [
          recordAudit(ctx, "organization.deleted", {
            subject: { ...subject, label: null },
            orgId: id,
            meta: { members: found.allMembers, tickets: found.tickets },
          }),
          db.delete(liveEvents).where(eq(liveEvents.audience, audience)),
          db.delete(organizations).where(eq(organizations.id, id)),
          ...eraseTexts(db, "organization", sql`SELECT ${id}`),
          endArchives(db, id),
          rememberRest(ctx, subject),
        ],
        after: () => {
          // The hub asks whether each of its sockets may still listen: none of them may.
          ctx.after(ctx.live.notify(audience));
          ctx.after(eraseRestOfSubjects(ctx));
        },
      });
    },
  });
  return deleted.ok ? ok(null) : deleted;
}

const SECRETS = ["current_password", "code"];

/**
 * Handles the form of the page that asks before an organization is deleted: its name has to be typed, and password and
 * code if the last proof of identity is older than ten minutes.
 */
export const organizationDeletionActions = formActions<StaffActor, { organizationId: string }, ValidationError>({
  intentField: null,
  reading: { raw: ["current_password"] },
  secrets: SECRETS,
})({
  delete: {
    purpose: "organization-delete",
    form: DeleteOrganizationForm,
    failed: ORGANIZATION_NOT_DELETED,
    invalid: invalidForm(ORGANIZATION_NOT_DELETED),
    run: async (ctx, actor, { input, nonce, fields, params: { organizationId } }) => {
      const values = { name: input.name };
      const found = await findDetails(ctx.db, organizationId);
      if (found && asShown(input.name) !== asShown(found.name)) {
        return invalid({ title: ORGANIZATION_NOT_DELETED, errors: { name: FORM_COPY.name_not_typed }, values });
      }
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const deleted = await deleteOrganization(ctx, actor, { organizationId, version: input.version, nonce });
      if (deleted.ok) return done({ to: ORGANIZATIONS_PATH, flash: { kind: "success", ...ORGANIZATION_DELETED } });
      if (deleted.code === "organization_not_found") return notFound();
      const error = deleted.code === "organization_on_hold" ? ORGANIZATION_ON_HOLD : `${ORGANIZATION_CHANGED}.`;
      return conflict({ title: ORGANIZATION_NOT_DELETED, errors: { form: error }, values });
    },
  },
});
