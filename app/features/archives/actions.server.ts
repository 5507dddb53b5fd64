import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import type { Ability } from "~/access/policy";
import { commit, expectThat } from "~/db/client.server";
import { archives } from "~/db/schema/archives";
import { recordAudit } from "~/features/audit/record-audit.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { ARCHIVE_PATH } from "~/features/organization-settings/model";
import { otherOrganization } from "~/features/organizations/model";
import { organizationExists } from "~/features/organizations/queries.server";
import { getSettings } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, withRedirectTo } from "~/lib/addresses";
import { ok, type Result } from "~/lib/errors";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import { dayIn } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { sendStored } from "~/platform/files.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, download, fileLimited, invalid, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { ARCHIVE_KEPT, EVERYTHING, isArchiveActive } from "./model";
import { staffArchivePath } from "./paths";
import { listArchives } from "./queries.server";
import { IS_NO_ERASURE_UNDER_WAY, makeSlice } from "./work.server";

const ARCHIVE_ASKED = {
  title: "Archive Requested",
  message: "It is being made. We mail you when it is ready: you can leave this page.",
} as const;

const ARCHIVE_NOT_ASKED = "The archive was not requested";
const ARCHIVE_DENIED = "You may not do this any more.";
const ARCHIVE_LIMITED = { title: "Too Many Downloads", message: "Please try again later." } as const;

/** Of an organization, or of everything. In the portal nobody gets what only staff may read. */
export type Wanted = { organizationId: string; isInternal: boolean };

type Asking = Wanted & { ability: Ability; nonce: string };

const subjectOf = (organizationId: string) =>
  organizationId === EVERYTHING
    ? { subject: { type: "activity" as const, id: null, label: null } }
    : { subject: { type: "organization" as const, id: organizationId, label: null }, orgId: organizationId };

/**
 * Asked again while one is being made it is that one; afterwards it is a new one, and the one before is deleted. It
 * needs no proof of identity: nothing leaves before who asked has given one.
 */
export async function askForArchive(
  ctx: Ctx,
  actor: SignedIn & Actor,
  { organizationId, isInternal, ability, nonce }: Asking,
): Promise<Result<string, "denied">> {
  const { db, now } = ctx;
  const id = ctx.newId("arc");
  const form = { scope: "archive", key: nonce };
  return runCommand(ctx, form, {
    read: async () => {
      const found = await listArchives(db, { userId: actor.userId, organizationId });
      return found.find((archive) => archive.isInternal === isInternal) ?? null;
    },
    plan: (current): Planned<"denied"> => {
      if (current && isArchiveActive(current.state)) return ok({ resultId: current.id });
      const requested = { id, organization_id: organizationId, requested_by: actor.userId, for_staff: isInternal };
      return ok({
        resultId: id,
        expects: [
          { that: stillAllowed(actor, ability, organizationId), otherwise: "denied" },
          ...(organizationId === EVERYTHING
            ? []
            : [{ that: organizationExists(organizationId), otherwise: "denied" as const }]),
        ],
        statements: [
          db
            .update(archives)
            .set({ state: "ended" })
            .where(
              and(
                eq(archives.requested_by, actor.userId),
                eq(archives.organization_id, organizationId),
                eq(archives.for_staff, isInternal),
                sql`${archives.state} IN ('ready', 'failed')`,
              ),
            ),
          db
            .insert(archives)
            .values({ ...requested, requested_at: now(), state: "asked", expires_at: now() + ARCHIVE_KEPT }),
          recordAudit(
            ctx,
            organizationId === EVERYTHING ? "security.archive_requested" : "organization.archive_requested",
            { ...subjectOf(organizationId), meta: { isInternal } },
          ),
        ],
        after: () => ctx.after(beginArchive(ctx, id)),
      });
    },
  });
}

/** A small one is done with it; otherwise the job goes on. */
async function beginArchive(ctx: Ctx, id: string): Promise<void> {
  const { db } = ctx;
  const isNext = sql`${archives.id} = ${id} AND state = 'asked' AND ${IS_NO_ERASURE_UNDER_WAY}`;
  const [asked] = await db.select().from(archives).where(isNext).limit(1);
  if (asked) await makeSlice(ctx, asked);
}

const AskForm = absentAsEmpty(["internal"], z.object({ internal: z.enum(["on", ""]) }));

const PURPOSE = "archive";

async function asked(
  ctx: Ctx,
  actor: SignedIn & Actor,
  asking: Asking & { to: string },
): Promise<ActionResult<ValidationError>> {
  const { to, ...wanted } = asking;
  const limit = await takeLimit(ctx.db, "export_user", actor.userId, ctx.now());
  if (!limit.allowed)
    return invalid({ title: ARCHIVE_NOT_ASKED, errors: { form: ARCHIVE_LIMITED.message }, values: {} });
  const requested = await askForArchive(ctx, actor, wanted);
  if (requested.ok) return done({ to, flash: { kind: "success", ...ARCHIVE_ASKED } });
  return invalid({ title: ARCHIVE_NOT_ASKED, errors: { form: ARCHIVE_DENIED }, values: {} });
}

export const staffArchiveActions = formActions<StaffActor, { organizationId: string }, ValidationError>({
  intentField: null,
})({
  ask: {
    ability: "privacy.manage",
    purpose: PURPOSE,
    form: AskForm,
    invalid: invalidForm(ARCHIVE_NOT_ASKED),
    run: (ctx, actor, { input, nonce, params: { organizationId } }) =>
      asked(ctx, actor, {
        ...{ organizationId, ability: "privacy.manage", nonce, to: staffArchivePath(organizationId) },
        isInternal: organizationId === EVERYTHING || input.internal === "on",
      }),
  },
});

export const clientArchiveActions = formActions<MemberActor, null, ValidationError>({
  intentField: null,
  conflict: otherOrganization,
})({
  ask: {
    ability: "organization.archive",
    purpose: PURPOSE,
    invalid: invalidForm(ARCHIVE_NOT_ASKED),
    run: (ctx, actor, { nonce }) =>
      asked(ctx, actor, {
        ...{ organizationId: actor.membership.organizationId, isInternal: false },
        ...{ ability: "organization.archive", nonce, to: ARCHIVE_PATH },
      }),
  },
});

export async function readArchives(ctx: Ctx, { userId }: SignedIn, organizationId: string) {
  const [found, { timeZone: zone }] = await Promise.all([
    listArchives(ctx.db, { userId, organizationId }),
    getSettings(ctx.db),
  ]);
  return {
    archives: found.filter(({ expiresAt }) => expiresAt > ctx.now()),
    zone,
    token: issueFormToken(ctx, PURPOSE),
    hasErrors: ctx.form.isRejected,
  };
}

type Sending = { id: string; ability: Ability; path: (organizationId: string) => string; asked: Headers };

/**
 * Only who asked, who still may, and has proven who they are within the last minutes. In the portal it is that of the
 * organization they work in now. On record before its first byte leaves.
 */
export async function sendArchiveFile(
  ctx: Ctx,
  actor: SignedIn & Actor,
  { id, ability, path, asked }: Sending,
): Promise<ActionResult<never>> {
  const { db, now } = ctx;
  const [found] = await db
    .select()
    .from(archives)
    .where(and(eq(archives.id, id), eq(archives.requested_by, actor.userId)))
    .limit(1);
  if (found?.state !== "ready" || found.file_key === null || found.expires_at <= now()) return notFound();
  const { organization_id: organizationId, for_staff: isInternal } = found;
  const { membership } = actor;
  if (membership && (membership.organizationId !== organizationId || isInternal)) return notFound();
  const page = path(organizationId);
  // Returns to the page, not to the file: a download would leave the page with the password on the screen.
  if (!hasRecentProof(ctx, actor)) return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, page) });
  const [sent, { timeZone }, [organization]] = await Promise.all([
    sendStored(ctx.files, found.file_key, asked),
    getSettings(db),
    db.all<{ slug: string }>(sql`SELECT slug FROM organizations WHERE id = ${organizationId}`),
  ]);
  if (!sent || (organizationId !== EVERYTHING && !organization)) return notFound();
  const twelfths = Math.ceil((12 * Number(sent.headers["Content-Length"] ?? 0)) / found.size);
  const limit = await takeLimit(db, "archive_user", actor.userId, now(), Math.max(1, twelfths));
  if (!limit.allowed)
    return fileLimited({ to: page, flash: { kind: "error", ...ARCHIVE_LIMITED }, retryAt: limit.retryAt });
  const isRecorded = await commit(db, [
    expectThat(db, stillAllowed(actor, ability, organizationId)),
    expectThat(db, sql`EXISTS (SELECT 1 FROM archives WHERE id = ${id} AND state = 'ready')`),
    recordAudit(ctx, organizationId === EVERYTHING ? "security.everything_exported" : "organization.data_exported", {
      ...subjectOf(organizationId),
      meta: { isInternal },
    }),
  ]);
  if (!isRecorded) return notFound();
  return download({
    fileName: `${organization?.slug ?? "everything"}-${dayIn(timeZone, found.requested_at)}.zip`,
    contentType: "application/zip",
    ...sent,
  });
}
