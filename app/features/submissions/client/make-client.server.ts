import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { can } from "~/access/policy";
import { addOns } from "~/content/add-ons";
import { expectChange, expectThat, type Statement } from "~/db/client.server";
import { contacts, organizations } from "~/db/schema/organizations";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { EmailField, nameField, PhoneField } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { saveContact } from "~/features/contacts/commands.server";
import { accountStateOf, contactIdOf, isOurAddress, PROGRAM_MAILBOX } from "~/features/contacts/queries.server";
import { memberInvitation, senderOf, takeInvitation } from "~/features/invitations/sending.server";
import { removePendingMemberships } from "~/features/invitations/targets.server";
import { organizationStatements, takenDomain } from "~/features/organization-management/commands.server";
import {
  detailsIn,
  ORGANIZATION_FIELDS,
  organizationFields,
  readDomains,
} from "~/features/organization-management/forms.server";
import { DOMAIN_TAKEN, INVITE_FAILURES } from "~/features/organization-management/labels";
import type { OrganizationDetails } from "~/features/organization-management/model";
import { organizationPath } from "~/features/organizations/model";
import { organizationExists } from "~/features/organizations/queries.server";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { getSettings } from "~/features/settings/queries.server";
import { eraseTexts } from "~/features/subjects/erase-subjects.server";
import { isOrganizationOnHold } from "~/features/subjects/legal-hold.server";
import { STAFF_NEW_TICKET_PATH, withParams } from "~/lib/addresses";
import { domainOf } from "~/lib/email";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { fail, ok, type Result } from "~/lib/errors";
import { absentAsEmpty, type FieldErrors, type FormValues } from "~/lib/form";
import { isId, referenceNumber } from "~/lib/ids";
import { fold } from "~/lib/text";
import { addDays, clockIn, dayIn, type Instant, isDay, startOfDay } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { type ActionResult, done, invalid, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { statusChangeStatements } from "../changes.server";
import {
  ADD_ONS_WITHOUT_PLAN,
  ADDRESS_IS_COLLEAGUE,
  ADDRESS_IS_DEACTIVATED,
  ADDRESS_IS_OURS,
  CLIENT_FAILED,
  CLIENT_STAYS,
  CLIENT_WAS_UNDONE,
  CONTRACT_START_INVALID,
  clientLinked,
  clientMade,
  clientUndone,
  elsewhereText,
  madeBefore,
  OFFERED_FIRST,
  OWNER_NAME_MAX,
  OWNER_NAME_REQUIRED,
  OWNER_NAME_TOO_LONG,
  START_WITHOUT_PLAN,
} from "../labels";
import { CLIENT_UNDO_WINDOW, type ClientFormError, type KnownSender, type SimilarOrganization } from "../model";
import { findSubmission, UNLINKED_FROM } from "../queries.server";
import { findKnownAddress } from "../record/read-record.server";
import { makeClientPath, submissionPath, submissionSubject } from "../subject";

const SIMILAR_SHOWN = 4;

/** What a name is looked for by: its first two words, or all of a shorter one. */
const beginningOf = (name: string): string => fold(name).split(" ").slice(0, 2).join(" ");

/**
 * Lists organizations that have one of the domains, or a name that begins alike. `isSame`: they have a domain of it, or
 * exactly this name.
 */
async function listSimilar(
  { db }: Pick<Ctx, "db">,
  { name, domains }: { name: string; domains: readonly string[] },
): Promise<SimilarOrganization[]> {
  const beginning = beginningOf(name);
  const rows = await db.all<Omit<SimilarOrganization, "isSame"> & { isSame: number }>(sql`
    SELECT o.id, o.name, o.plan, o.all_members AS people, min(found.nameOnly) = 0 OR o.search_name = ${fold(name)} AS isSame,
      (SELECT group_concat(d.domain, ', ') FROM organization_domains d WHERE d.organization_id = o.id) AS domains
    FROM (SELECT organization_id AS id, 0 AS nameOnly FROM organization_domains
        WHERE domain IN (SELECT value FROM json_each(${JSON.stringify(domains)}))
      UNION ALL SELECT id, 1 FROM organizations
        WHERE ${beginning} <> '' AND name_key = substr(${fold(name)}, 1, 60) AND search_name = ${fold(name)}
      UNION ALL SELECT id, 1 FROM (SELECT id FROM organizations
        WHERE ${beginning} <> '' AND name_key >= ${beginning} AND name_key < ${beginning} || char(1114111)
        ORDER BY name_key, id LIMIT ${SIMILAR_SHOWN})) found
    CROSS JOIN organizations o ON o.id = found.id
    GROUP BY o.id ORDER BY isSame DESC, o.name_key LIMIT ${SIMILAR_SHOWN}`);
  return rows.map((row) => ({ ...row, isSame: row.isSame === 1 }));
}

/** What a client may be called: as the request says, else as the domain that is theirs, else as the person. */
function proposedName({ company, domain, person }: { company: string | null; domain?: string; person: string }) {
  if (company) return { name: company, from: "From the request" };
  const labels = domain?.split(".") ?? [];
  // The registered name, also below "co.uk".
  const isBelowTwo = labels.length > 2 && /^(?:ac|co|com|edu|gov|net|org)$/.test(labels.at(-2) ?? "");
  const registered = labels.at(isBelowTwo ? -3 : -2) ?? "xn--";
  if (registered.startsWith("xn--")) return { name: person, from: "The request names no company: their own name" };
  const name = registered.replaceAll("-", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return { name, from: "The request names no company: from their address" };
}

type Answer = { blocks: string | null; isElsewhere: boolean; text: string };

/** Says whose an address is already, and whether the person may be invited as the owner of another organization. */
function addressAnswer(email: string, known: KnownSender | null): Answer {
  const none = { blocks: null, isElsewhere: false };
  if (!known) return { ...none, text: "No account has this address." };
  const { account, memberships } = known;
  if (account && account.role !== "user") return { ...none, ...blocked(ADDRESS_IS_COLLEAGUE(email, account.name)) };
  if (account?.status === "deactivated") return { ...none, ...blocked(ADDRESS_IS_DEACTIVATED(email, account.name)) };
  if (memberships.length === 0) {
    return { ...none, text: `${account?.name ?? email} has an account, and owns the client once they accept.` };
  }
  return { blocks: null, isElsewhere: true, text: elsewhereText(email, known) };
}

const blocked = (text: string) => ({ blocks: text, text });

type Rules = { onlyInviteExistingAccounts: boolean; usesKnown: boolean };

/** Returns why nobody with an address is invited as the owner of a new client; null: they are. */
function addressRefusal(email: string, known: KnownSender | null, rules: Rules) {
  const { account = null } = known ?? {};
  if (PROGRAM_MAILBOX.test(email)) return "ours";
  if (account && account.role !== "user") return "colleague";
  if (account?.status === "deactivated") return "deactivated";
  if (rules.onlyInviteExistingAccounts && account?.status !== "active") return "no_account";
  return addressAnswer(email, known).isElsewhere && !rules.usesKnown ? "elsewhere" : null;
}

export async function readMakeClient(ctx: Pick<Ctx, "db" | "now">, submissionId: string) {
  const { db } = ctx;
  const [submission, madeBy, { timeZone }] = await Promise.all([
    findSubmission(db, submissionId),
    findMaking(ctx, submissionId),
    getSettings(db),
  ]);
  if (!submission) return null;
  const { id, number, name, email, phone, company, message, file, estimate, submittedAt, moderationReason } =
    submission;
  const known = addressAnswer(email, await findKnownAddress(db, sql`${email}`));
  // A colleague's says nothing about the client.
  const { domains } = readDomains(known.blocks ? "" : domainOf(email));
  const proposed = proposedName({ company, domain: domains[0], person: name });
  const similar = await listSimilar(ctx, { name: proposed.name, domains });
  const values: FormValues = {
    name: proposed.name,
    phone: phone ?? "",
    plan: estimate?.choice.plan ?? "",
    ...Object.fromEntries((estimate?.choice.addOns ?? []).map((addOn) => [addOn, "on"])),
    // One that is taken is offered first, and cannot be given twice.
    domains: similar.some((one) => one.domains?.split(", ").includes(domains[0] ?? "")) ? "" : domains.join(),
    // Without an estimate there may be no plan, which starts nothing.
    contract_start: estimate ? dayIn(timeZone, ctx.now()) : "",
    owner_name: name,
    owner_email: email,
    owner_phone: phone ?? "",
  };
  return {
    submission: {
      id,
      number,
      name,
      email,
      message,
      file,
      estimate,
      submittedAt,
      isInModeration: moderationReason !== null,
    },
    client: submission.client,
    madeBy: madeBy && { name: madeBy.actorName, at: madeBy.at },
    similar,
    known,
    nameFrom: proposed.from,
    values,
    zone: timeZone,
    path: makeClientPath(id),
  };
}

type Making = { eventId: string; from: string; actorId: string | null; actorName: string; at: Instant };

/** Finds who has made a client of a submission last; null: nobody has. */
async function findMaking({ db }: Pick<Ctx, "db">, submissionId: string): Promise<Making | null> {
  const [row] = await db.all<Making>(sql`
    SELECT id AS eventId, from_status AS "from", actor_id AS actorId, actor_name AS actorName, at FROM submission_events
    WHERE submission_id = ${submissionId} AND made_client = 1 ORDER BY at DESC LIMIT 1`);
  return row ?? null;
}

type Person = { name: string; email: string; phone: string };

type NewClient = {
  submissionId: string;
  details: OrganizationDetails;
  owner: Person;
  /** `YYYY-MM-DD` in the zone of the site; null: today. */
  contractStart: string | null;
  /** The organizations that were offered instead. */
  seen: readonly string[];
  /** Says that somebody who belongs elsewhere is meant. */
  usesKnown: boolean;
  nonce: string;
};

type Rejected =
  | "submission_not_found"
  | "already_client"
  | "offered_first"
  | "colleague"
  | "deactivated"
  | "ours"
  | "elsewhere"
  | "no_account"
  | "limited"
  | "denied"
  | "undone";

type Made =
  | { ok: true; organizationId: string }
  | { ok: false; code: Rejected }
  | { ok: false; code: "domain_taken"; domain: string };

/**
 * Makes a client of a submission, in one batch: the organization, the invitation of its owner, who is a contact until
 * they accept, the link from the submission, its status and its history. The invitation leaves when it cannot be undone
 * any more. `already_client`: a colleague was faster.
 */
async function makeClient(
  ctx: Ctx,
  actor: StaffActor,
  { submissionId, details, owner, contractStart, seen, usesKnown, nonce }: NewClient,
): Promise<Made> {
  const { db } = ctx;
  const organization = { id: ctx.newId("org"), name: details.name, isNew: false };
  const sender = senderOf(actor, organization);
  const { domains } = details;
  let giveBack = null as (() => Promise<void>) | null;
  const content = fingerprintOf(JSON.stringify([details, owner, contractStart]));
  const form = { scope: "submission-client", key: `${nonce}:${submissionId}:${content}` };
  try {
    const made = await runCommand(ctx, form, {
      read: () =>
        Promise.all([
          findSubmission(db, submissionId),
          findKnownAddress(db, sql`${owner.email}`),
          listSimilar(ctx, { name: details.name, domains }),
          getSettings(db),
          isOurAddress(ctx, owner.email),
        ]),
      plan: async ([submission, known, similar, settings, isOurs]): Promise<Planned<Rejected>> => {
        if (!submission || submission.moderationReason) return fail("submission_not_found");
        if (submission.client) return fail("already_client");
        const { timeZone, onlyInviteExistingAccounts } = settings;
        const refused = isOurs ? "ours" : addressRefusal(owner.email, known, { onlyInviteExistingAccounts, usesKnown });
        if (refused) return fail(refused);
        if (similar.some(({ id, isSame }) => isSame && !seen.includes(id))) return fail("offered_first");
        giveBack ??= await takeInvitation(ctx, { email: owner.email, timeZone, sender });
        if (!giveBack) return fail("limited");
        const at = ctx.now();
        const then = { ...ctx, now: () => at };
        const startsAt = contractStart ? startOfDay(timeZone, contractStart) : at;
        return ok({
          resultId: organization.id,
          expects: [
            { that: isFree(submissionId), otherwise: "already_client" },
            { that: stillAllowed(actor, "organization.manage", organization.id), otherwise: "denied" },
          ],
          statements: [
            ...organizationStatements(then, { id: organization.id, details, contractStartedAt: startsAt }),
            ...memberInvitation(then, {
              ...{ inviter: actor, organization, role: "owner", timeZone, email: owner.email },
              notBefore: at + CLIENT_UNDO_WINDOW,
            }),
            db.update(organizations).set({ onboarding_due_since: at }).where(eq(organizations.id, organization.id)),
            saveContact(then, organization.id, contactOf(owner)),
            ...linkStatements(then, actor, { submission, organization }),
          ],
          after: () => {
            giveBack = null;
            ctx.after(ctx.live.notify("staff"));
          },
        });
      },
    });
    if (!made.ok) return made;
    // The same form may come again after it was undone.
    const isThere = await db.all(sql`SELECT 1 WHERE ${organizationExists(made.value)}`);
    return isThere.length > 0 ? { ok: true, organizationId: made.value } : { ok: false, code: "undone" };
  } catch (error) {
    const domain = await takenDomain(db, error, { organizationId: organization.id, domains });
    if (domain === null) throw error;
    return { ok: false, code: "domain_taken", domain };
  } finally {
    await giveBack?.();
  }
}

const contactOf = ({ name, email, phone }: Person) => ({ fullName: name, email, phone });

const isFree = (submissionId: string): SQL => sql`EXISTS (SELECT 1 FROM contact_submissions
  WHERE id = ${submissionId} AND organization_id IS NULL AND held_reason IS NULL)`;

type Linked = {
  submission: NonNullable<Awaited<ReturnType<typeof findSubmission>>>;
  organization: { id: string; name: string };
};

/** The submission becomes the first record of the client, and is resolved. */
function linkStatements(ctx: Ctx, actor: StaffActor, { submission, organization }: Linked): Statement[] {
  const t = contactSubmissions;
  const at = ctx.now();
  const { id, status } = submission;
  const subject = submissionSubject(submission);
  return [
    expectThat(ctx.db, sql`EXISTS (SELECT 1 FROM contact_submissions WHERE id = ${id} AND status = ${status})`),
    ...(status === "resolved"
      ? [
          ctx.db.insert(submissionEvents).values({
            ...{ id: ctx.newId("sev"), submission_id: id, from_status: status, to_status: status, at },
            ...{ actor_id: actor.userId, actor_name: actor.fullName, made_client: true },
          }),
        ]
      : statusChangeStatements(ctx, actor, {
          ...{ submission, to: "resolved", onlyIf: ne(t.status, "resolved"), madeClient: true },
        })),
    ctx.db
      .update(t)
      .set({ organization_id: organization.id, updated_at: at, version: sql`${t.version} + 1` })
      .where(and(eq(t.id, id), isNull(t.organization_id))),
    expectChange(ctx.db),
    recordAudit(ctx, "submission.made_client", { subject, meta: { organization: organization.name } }),
  ];
}

/**
 * Makes a submission a record of a client that exists. Its sender becomes a contact, unless they are known there: what
 * anybody can type on the public form changes no name and no phone of theirs.
 */
function linkClient(
  ctx: Ctx,
  actor: StaffActor,
  { submissionId, organizationId, nonce }: { submissionId: string; organizationId: string; nonce: string },
): Promise<Result<string, "submission_not_found" | "organization_not_found" | "already_client" | "denied">> {
  const { db } = ctx;
  const at = ctx.now();
  return runCommand(
    ctx,
    { scope: "submission-link", key: `${nonce}:${submissionId}:${organizationId}` },
    {
      read: async () => {
        const submission = await findSubmission(db, submissionId);
        const email = submission?.email ?? "";
        const [organization] = await db.all<{ id: string; name: string; known: string | null }>(sql`
          SELECT id, name,
            coalesce(${accountStateOf(organizationId, email)}, ${contactIdOf(organizationId, email)}) AS known
          FROM organizations WHERE id = ${organizationId}`);
        return { submission, organization };
      },
      plan: ({ submission, organization }) => {
        if (!submission || submission.moderationReason) return fail("submission_not_found");
        if (!organization) return fail("organization_not_found");
        if (submission.client) return fail("already_client");
        const { name, email, phone } = submission;
        const isKnown = organization.known !== null || PROGRAM_MAILBOX.test(email);
        const then = { ...ctx, now: () => at };
        return ok({
          resultId: organizationId,
          expects: [
            { that: isFree(submissionId), otherwise: "already_client" },
            { that: organizationExists(organizationId), otherwise: "organization_not_found" },
            { that: stillAllowed(actor, "organization.manage", organizationId), otherwise: "denied" },
          ],
          statements: [
            ...(isKnown ? [] : [saveContact(then, organizationId, contactOf({ name, email, phone: phone ?? "" }))]),
            ...linkStatements(then, actor, { submission, organization }),
          ],
          after: () => ctx.after(ctx.live.notify("staff")),
        });
      },
    },
  );
}

/** The contact that a submission became. One with a ticket, copies, an invitation or a further address stays known. */
const forgetContact = ({ db }: Ctx, organizationId: string, { email, at }: { email: string; at: Instant }): Statement =>
  db
    .delete(contacts)
    .where(sql`${contacts.id} = ${contactIdOf(organizationId, email)} AND ${contacts.created_at} = ${at}
    AND NOT EXISTS (SELECT 1 FROM support_tickets WHERE contact_id = ${contacts.id})
    AND NOT EXISTS (SELECT 1 FROM ticket_messages WHERE contact_id = ${contacts.id})
    AND NOT EXISTS (SELECT 1 FROM ticket_copies WHERE contact_id = ${contacts.id})
    AND NOT EXISTS (SELECT 1 FROM other_addresses WHERE contact_id = ${contacts.id})
    AND NOT EXISTS (SELECT 1 FROM contact_invitations WHERE contact_id = ${contacts.id} AND due_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM organization_memberships
      WHERE organization_id = ${organizationId} AND invited_email = ${email} AND status = 'pending')`);

/**
 * Makes a submission a record of no client again, once it is too late to undo that. The organization stays, with the
 * person who was invited as its owner. A request that this had resolved is in progress again.
 */
export function unlinkClient(
  ctx: Ctx,
  actor: StaffActor,
  { submissionId, organizationId, nonce }: { submissionId: string; organizationId: string; nonce: string },
): Promise<Result<string, "submission_not_found" | "changed_since" | "on_hold" | "denied">> {
  const { db } = ctx;
  const t = contactSubmissions;
  const form = { scope: "submission-unlink", key: `${nonce}:${submissionId}:${organizationId}` };
  return runCommand(ctx, form, {
    read: () =>
      Promise.all([
        findSubmission(db, submissionId),
        findMaking(ctx, submissionId),
        db.all<{ at: Instant }>(sql`SELECT created_at AS at FROM organizations WHERE id = ${organizationId}`),
      ]),
    plan: ([submission, making, [made]]): Planned<"submission_not_found" | "changed_since" | "on_hold" | "denied"> => {
      if (!submission) return fail("submission_not_found");
      if (submission.client?.id !== organizationId) return fail("changed_since");
      const { status, email, client } = submission;
      const to = status === "resolved" && making?.from !== "resolved" ? "contacted" : status;
      const subject = submissionSubject(submission);
      return ok({
        resultId: submissionId,
        expects: [
          { that: stillAllowed(actor, "organization.manage", organizationId), otherwise: "denied" },
          { that: sql`NOT ${isOrganizationOnHold(organizationId)}`, otherwise: "on_hold" },
        ],
        statements: [
          db
            .update(t)
            .set({ organization_id: null, status: to, updated_at: ctx.now(), version: sql`${t.version} + 1` })
            .where(and(eq(t.id, submissionId), eq(t.organization_id, organizationId), eq(t.status, status))),
          expectChange(db),
          db.insert(submissionEvents).values({
            ...{ id: ctx.newId("sev"), submission_id: submissionId, from_status: UNLINKED_FROM, to_status: to },
            ...{ actor_id: actor.userId, actor_name: actor.fullName, at: ctx.now() },
          }),
          // The owner of an organization that was made of it is a contact until they accept.
          ...(making && making.at !== made?.at ? [forgetContact(ctx, organizationId, { email, at: making.at })] : []),
          recordAudit(ctx, "submission.client_unlinked", {
            subject,
            meta: { organization: client.name, from: status, to },
          }),
          recordLiveEvent(ctx, {
            audience: "staff",
            type: "status_update",
            subject,
            label: `${submission.name}: unlinked`,
          }),
        ],
        after: () => ctx.after(ctx.live.notify("staff")),
      });
    },
  });
}

/** Nothing but the making has happened to it. */
const isUntouched = (organizationId: string): SQL => sql`EXISTS (SELECT 1 FROM organizations o
  WHERE o.id = ${organizationId} AND o.version = 1 AND o.active_members = 0 AND o.all_members <= 1 AND o.ticket_count = 0
    AND NOT EXISTS (SELECT 1 FROM organization_memberships m WHERE m.organization_id = o.id AND m.user_id IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM admin_notes n WHERE n.subject_type = 'organization' AND n.subject_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.organization_id = o.id)
    AND (SELECT count(*) FROM contacts c WHERE c.organization_id = o.id) <= 1
    AND (SELECT count(*) FROM contact_submissions s WHERE s.organization_id = o.id) = 1
    AND NOT EXISTS (SELECT 1 FROM organization_memberships m JOIN invitations i ON i.membership_id = m.id
      LEFT JOIN outbox b ON b.id = i.mail_id
      WHERE m.organization_id = o.id AND (i.mail_id IS NULL OR b.status IS NOT 'pending')))`;

/**
 * Takes back that a client was made of a submission, while its invitation waits and nothing else has happened to the
 * client. A client that was there before stays.
 */
async function undoClient(
  ctx: Ctx,
  actor: StaffActor,
  { submissionId, nonce }: { submissionId: string; nonce: string },
): Promise<Result<string, "submission_not_found" | "too_late">> {
  const { db } = ctx;
  const t = contactSubmissions;
  return runCommand(
    ctx,
    { scope: "submission-client-undo", key: `${nonce}:${submissionId}` },
    {
      read: () => Promise.all([findSubmission(db, submissionId), findMaking(ctx, submissionId)]),
      plan: async ([submission, making]): Promise<Planned<"submission_not_found" | "too_late">> => {
        if (!submission) return fail("submission_not_found");
        if (!submission.client) return ok({ resultId: submissionId });
        const { id: organizationId, name } = submission.client;
        const isOwn = making?.actorId === actor.userId;
        if (!making || !isOwn || ctx.now() >= making.at + CLIENT_UNDO_WINDOW) return fail("too_late");
        const [made] = await db.all<{ isNew: number }>(
          sql`SELECT EXISTS (SELECT 1 FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
            WHERE o.id = ${organizationId} AND m.role = 'owner' AND m.user_id IS NULL
              AND m.created_at = ${making.at} AND o.created_at = ${making.at}) AS isNew`,
        );
        const isNew = made?.isNew === 1;
        const ids = sql`SELECT ${organizationId}`;
        const isLinked = and(eq(t.id, submissionId), eq(t.organization_id, organizationId), eq(t.status, "resolved"));
        return ok({
          resultId: submissionId,
          expects: [
            ...(isNew
              ? [isUntouched(organizationId), sql`NOT ${isOrganizationOnHold(organizationId)}`].map((that) => ({
                  that,
                  otherwise: "too_late" as const,
                }))
              : []),
            { that: stillAllowed(actor, "organization.manage", organizationId), otherwise: "too_late" },
          ],
          statements: [
            db
              .update(t)
              .set({
                organization_id: null,
                status: making.from as "new",
                updated_at: ctx.now(),
                version: sql`${t.version} + 1`,
              })
              .where(isLinked),
            expectChange(db),
            db.delete(submissionEvents).where(eq(submissionEvents.id, making.eventId)),
            ...(isNew
              ? [
                  ...removePendingMemberships(ctx, sql`organization_id = ${organizationId}`),
                  ...eraseTexts(db, "organization", ids),
                  db.delete(organizations).where(eq(organizations.id, organizationId)),
                ]
              : [forgetContact(ctx, organizationId, { email: submission.email, at: making.at })]),
            recordAudit(ctx, "submission.client_undone", {
              subject: submissionSubject(submission),
              meta: { organization: name, from: "resolved", to: making.from },
            }),
            recordLiveEvent(ctx, {
              ...{ audience: "staff", type: "status_update", subject: submissionSubject(submission) },
              label: `${submission.name}: taken back`,
            }),
          ],
          after: () => ctx.after(ctx.live.notify("staff")),
        });
      },
    },
  );
}

type OriginRow = {
  id: string;
  number: number;
  name: string;
  message: string | null;
  submittedAt: Instant;
  estimateJson: string | null;
  fileId: string | null;
  fileName: string;
  bytes: number;
  replies: number;
  actorId: string | null;
  madeAt: Instant | null;
  /** The organization was made of it; otherwise it joined one that existed. */
  isNew: number;
};

/** Lists what became a client, as its page shows it, the newest first. `undo`: the reader may take it back still. */
export async function readClientOrigins(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  organizationId: string,
) {
  const [rows, { timeZone }] = await Promise.all([
    db.all<OriginRow>(sql`
      SELECT t.id, t.number, t.first_name || ' ' || t.last_name AS name, t.message, t.created_at AS submittedAt,
        t.estimate_json AS estimateJson, f.id AS fileId, f.name AS fileName, f.size AS bytes, e.actor_id AS actorId,
        e.at AS madeAt,
        EXISTS (SELECT 1 FROM organizations o WHERE o.id = t.organization_id AND o.created_at = e.at) AS isNew,
        (SELECT count(*) FROM (SELECT 1 FROM submission_replies r WHERE r.submission_id = t.id LIMIT 50)) AS replies
      FROM contact_submissions t LEFT JOIN attachments f ON f.id = t.attachment_id
      LEFT JOIN submission_events e ON e.id = (SELECT id FROM submission_events
        WHERE submission_id = t.id AND made_client = 1 ORDER BY at DESC LIMIT 1)
      WHERE t.organization_id = ${organizationId} ORDER BY t.created_at DESC LIMIT ${ORIGINS_SHOWN}`),
    getSettings(db),
  ]);
  const undoable = rows.find(({ actorId, madeAt }) => {
    const isOpen = madeAt !== null && now() < madeAt + CLIENT_UNDO_WINDOW;
    return isOpen && actorId === actor.userId && can(actor, "organization.manage");
  });
  const until = (undoable?.madeAt ?? 0) + CLIENT_UNDO_WINDOW;
  return {
    origins: rows.map(({ id, number, name, message, submittedAt, estimateJson, fileId, fileName, bytes, replies }) => ({
      ...{ id, number: referenceNumber("submission", number), name, message, submittedAt, replies },
      estimate: readStoredEstimate(estimateJson),
      file: fileId ? { id: fileId, name: fileName, bytes } : null,
    })),
    undo: undoable && {
      path: makeClientPath(undoable.id),
      ticketPath: withParams(STAFF_NEW_TICKET_PATH, { submission: undoable.id, organization: organizationId }),
      until: clockIn(timeZone, until, { withSeconds: true }),
      isNew: undoable.isNew === 1,
    },
  };
}

const ORIGINS_SHOWN = 5;

const START_YEARS = { before: "2000-01-01", daysAhead: 366 };

const MakeClientForm = absentAsEmpty(
  [...ORGANIZATION_FIELDS, "owner_name", "owner_email", "owner_phone", "contract_start", "seen", "use_known"],
  z
    .object({
      ...organizationFields,
      owner_name: nameField(OWNER_NAME_MAX, {
        missing: OWNER_NAME_REQUIRED,
        tooLong: OWNER_NAME_TOO_LONG,
      }),
      owner_email: EmailField,
      owner_phone: PhoneField,
      contract_start: z
        .string()
        .trim()
        .refine((text) => text === "" || (isDay(text) && text >= START_YEARS.before), CONTRACT_START_INVALID),
      seen: z.string().transform((text) => text.split(",").filter((id) => isId("org", id))),
      use_known: z.string().transform(Boolean),
    })
    .superRefine(({ plan, contract_start, ...fields }, context) => {
      if (plan !== "none") return;
      const reject = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (addOns.some(({ id }) => fields[id] !== "")) reject("plan", ADD_ONS_WITHOUT_PLAN);
      if (contract_start !== "") reject("contract_start", START_WITHOUT_PLAN);
    })
    .transform(({ owner_name, owner_email, owner_phone, contract_start, seen, use_known, ...fields }) => ({
      details: detailsIn(fields),
      owner: { name: owner_name, email: owner_email, phone: owner_phone },
      contractStart: contract_start || null,
      seen,
      usesKnown: use_known,
    })),
);

const ExistingForm = absentAsEmpty(
  ["organization_id"],
  z.object({ organization_id: z.string().refine((id) => isId("org", id)) }),
);

const reject = (values: FormValues, errors: FieldErrors): ActionResult<ClientFormError> =>
  invalid({ title: CLIENT_FAILED, errors, values });

const rejectForm = (problem: FormProblem): ActionResult<ClientFormError> =>
  reject(problem.values, problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors);

/** Leads to the client that a colleague has made meanwhile. */
async function leadToClient(ctx: Ctx, submissionId: string): Promise<ActionResult<ClientFormError>> {
  const [submission, making] = await Promise.all([findSubmission(ctx.db, submissionId), findMaking(ctx, submissionId)]);
  if (!submission?.client) return notFound();
  const minutes = making ? Math.floor((ctx.now() - making.at) / 60_000) : 0;
  const message = madeBefore(making?.actorName ?? "A colleague", submission.client.name, minutes);
  return done({ to: organizationPath(submission.client.id), flash: { kind: "info", ...message } });
}

export const makeClientActions = formActions<StaffActor, { submissionId: string }, ClientFormError>()({
  make: {
    ability: "organization.manage",
    purpose: "submission-client",
    form: MakeClientForm,
    failed: CLIENT_FAILED,
    invalid: rejectForm,
    run: async (ctx, actor, { params: { submissionId }, input, nonce, fields }) => {
      const { form_token: _, intent: __, ...values } = fields;
      const { timeZone } = await getSettings(ctx.db);
      const latest = addDays(dayIn(timeZone, ctx.now()), START_YEARS.daysAhead);
      if ((input.contractStart ?? "") > latest) return reject(values, { contract_start: CONTRACT_START_INVALID });
      const made = await makeClient(ctx, actor, { submissionId, ...input, nonce });
      if (made.ok) {
        const flash = { kind: "success", ...clientMade(input.details.name) } as const;
        return done({ to: organizationPath(made.organizationId), flash });
      }
      const { email } = input.owner;
      switch (made.code) {
        case "already_client":
          return leadToClient(ctx, submissionId);
        case "submission_not_found":
          return notFound();
        case "domain_taken":
          return reject({ ...values, ...(await offered(ctx, input.details)) }, { domains: DOMAIN_TAKEN(made.domain) });
        case "offered_first":
          return reject({ ...values, ...(await offered(ctx, input.details)) }, { name: OFFERED_FIRST });
        case "elsewhere":
        case "colleague":
        case "deactivated": {
          const answer = addressAnswer(email, await findKnownAddress(ctx.db, sql`${email}`));
          const confirm: FormValues = made.code === "elsewhere" ? { confirm_known: email } : {};
          return reject({ ...values, ...confirm }, { owner_email: answer.text });
        }
        case "ours":
          return reject(values, { owner_email: ADDRESS_IS_OURS });
        case "undone":
          return reject(values, { form: CLIENT_WAS_UNDONE });
        case "denied":
          return reject(values, { form: CLIENT_FAILED });
        default:
          return reject(values, { owner_email: INVITE_FAILURES[made.code] });
      }
    },
  },
  use: {
    ability: "organization.manage",
    purpose: "submission-client-use",
    form: ExistingForm,
    failed: CLIENT_FAILED,
    invalid: rejectForm,
    run: async (ctx, actor, { params: { submissionId }, input, nonce }) => {
      const linked = await linkClient(ctx, actor, { submissionId, organizationId: input.organization_id, nonce });
      if (linked.ok) {
        return done({ to: organizationPath(linked.value), flash: { kind: "success", ...clientLinked() } });
      }
      if (linked.code === "already_client") return leadToClient(ctx, submissionId);
      return linked.code === "denied" ? reject({}, { form: CLIENT_FAILED }) : notFound();
    },
  },
  undo: {
    ability: "organization.manage",
    purpose: "submission-client-undo",
    failed: CLIENT_FAILED,
    invalid: rejectForm,
    run: async (ctx, actor, { params: { submissionId }, nonce }) => {
      const undone = await undoClient(ctx, actor, { submissionId, nonce });
      if (undone.ok) return done({ to: submissionPath(submissionId), flash: { kind: "success", ...clientUndone() } });
      if (undone.code === "submission_not_found") return notFound();
      const submission = await findSubmission(ctx.db, submissionId);
      const to = submission?.client ? organizationPath(submission.client.id) : submissionPath(submissionId);
      return done({ to, flash: { kind: "error", ...CLIENT_STAYS } });
    },
  },
});

/** What is offered instead, for the page that shows the form again. */
async function offered(ctx: Ctx, { name, domains }: OrganizationDetails): Promise<FormValues> {
  return { similar: JSON.stringify(await listSimilar(ctx, { name, domains })) };
}

export type MakeClientPage = NonNullable<Awaited<ReturnType<typeof readMakeClient>>>;
export type ClientOrigin = Awaited<ReturnType<typeof readClientOrigins>>["origins"][number];
