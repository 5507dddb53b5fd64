import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { proposedCopies, ticketCopies } from "~/db/schema/ticket-work";
import { recordAudit } from "~/features/audit/record-audit.server";
import { emailHash } from "~/features/auth/address-reservations.server";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { isOurAddress, PROGRAM_MAILBOX, shortened } from "~/features/contacts/queries.server";
import { otherOrganization } from "~/features/organizations/model";
import { EMAIL_MAX, isEmailAddress, mailboxOf, normalizeEmail } from "~/lib/email";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { fail, ok, type Result } from "~/lib/errors";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { type FormAction, formActions, invalidForm, type Submitted } from "~/platform/form-actions.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, badRequest, done, invalid, notFound, page } from "~/platform/responses.server";
import type { TicketPageParams } from "../actions.server";
import { changeTicket } from "../change-ticket.server";
import { addNamedPerson, editing, type TicketEditor } from "../commands.server";
import { DETAILS_NOT_SAVED } from "../labels";
import { asStaff } from "../model";
import { clientCcPath, staffCcPath, ticketSubject } from "../paths";
import { findTicketForStaff } from "../queries.server";
import {
  CC_MAX,
  type CcRule,
  CLOSED,
  ccRule,
  endCc,
  endProposal,
  listCc,
  listProposedCc,
  readStopCc,
  stoppedMailbox,
} from "./queries.server";

/**
 * A private ticket has none; whoever has an account in its organization is added as a person instead. Whoever asked for
 * no more copies is added like everybody, and mailed nothing: what they chose is nobody's to find out. One that has
 * them already stays as it is.
 */
export async function addCc(
  ctx: Ctx,
  editor: TicketEditor,
  { ticketId, email: typed, nonce }: { ticketId: string; email: string; nonce: string },
): Promise<Result<string, CcError>> {
  const email = normalizeEmail(typed);
  if (email.length > EMAIL_MAX || !isEmailAddress(email) || PROGRAM_MAILBOX.test(email)) return fail("not_an_address");
  if (await isOurAddress(ctx, email)) return fail("own_address");
  const { by, find } = editingCc(ctx, editor, ticketId);
  return changeTicket<CcError>(ctx, by, {
    find,
    scope: "ticket-copy",
    key: `${nonce}:${ticketId}:${keyedHash(ctx.config.LOG_HMAC_KEY, "copy-key", email)}`,
    choice: "add",
    plan: async ({ id, organization, isPrivate, contact }) => {
      if (contact?.email === email) return ok(null);
      if (isPrivate) return fail("is_private");
      const isMember = sql`EXISTS (SELECT 1 FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${organization.id} AND m.status = 'active' AND u.email = ${email})`;
      const rule = editor.side === "staff" ? sql<CcRule>`'open'` : ccRule(organization.id);
      const [copies, [found]] = await Promise.all([
        listCc(ctx.db, id),
        ctx.db.all<{ isMember: number; rule: CcRule }>(sql`SELECT ${isMember} AS isMember, ${rule} AS rule`),
      ]);
      if (found?.rule !== "open") return fail(found?.rule ?? "off");
      if (copies.some((copy) => copy.email === email)) return ok(null);
      if (found.isMember) return fail("is_member");
      if (copies.length >= CC_MAX) return fail("too_many");
      if (await isLimited(ctx, editor, { email, organizationId: organization.id })) return fail("limited");
      const ccId = ctx.newId("cpy");
      const added = { added_by: by.userId, added_at: ctx.now() };
      const row = { id: ccId, organization_id: organization.id, ticket_id: id, email };
      return ok({
        events: [{ kind: "person_added", to: shortened(email) }],
        statements: [
          expectThat(ctx.db, sql`NOT ${isMember} AND ${rule} = 'open'`),
          endProposal(ctx.db, id, email),
          ctx.db
            .insert(ticketCopies)
            .values({ ...row, ...added, stopped_mailbox: stoppedMailbox(email) })
            // Whoever asked for no more copies of this ticket was taken off it. The id is new, as that of every other
            // address that is added again; one that was added a moment ago keeps the id that its mail has.
            .onConflictDoUpdate({
              target: [ticketCopies.ticket_id, ticketCopies.email],
              set: {
                ...added,
                id: sql`iif(${ticketCopies.removed_at} IS NULL, ${ticketCopies.id}, excluded.id)`,
                member_id: null,
                removed_at: null,
              },
            }),
        ],
        audit: [{ action: "ticket.person_added", meta: { person: shortened(email) } }],
        notification: { ccAdded: ccId },
        label: "Copies by mail added",
      });
    },
  });
}

export function removeCc(
  ctx: Ctx,
  editor: TicketEditor,
  { ticketId, ccId, nonce }: { ticketId: string; ccId: string; nonce: string },
): Promise<Result<string, "ticket_not_found">> {
  const { by, find } = editingCc(ctx, editor, ticketId);
  return changeTicket<never>(ctx, by, {
    find,
    scope: "ticket-copy",
    key: `${nonce}:${ccId}`,
    plan: async ({ id }) => {
      const copy = (await listCc(ctx.db, id)).find((one) => one.id === ccId);
      if (!copy) return ok(null);
      return ok({
        events: [{ kind: "person_removed", from: shortened(copy.email) }],
        statements: endCc(ctx, id, ccId),
        audit: [{ action: "ticket.person_removed", meta: { person: shortened(copy.email) } }],
        label: "Copies by mail ended",
      });
    },
  });
}

function editingCc(ctx: Ctx, editor: TicketEditor, ticketId: string) {
  const { by, find, mayEdit } = editing(ctx, editor, ticketId);
  const findOwn = async () => {
    const ticket = await find();
    return ticket && mayEdit(ticket) ? ticket : null;
  };
  return { by, find: findOwn };
}

async function isLimited(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  editor: TicketEditor,
  { email, organizationId }: { email: string; organizationId: string },
): Promise<boolean> {
  const { db, now } = ctx;
  const userId = editor.side === "staff" ? editor.by.userId : editor.actor.userId;
  const day = Math.floor(now() / days(1));
  const limits = await Promise.all([
    takeLimit(db, "copy_addr", emailHash(ctx, email), now()),
    takeLimit(db, "copy_user", userId ?? "", now()),
    ...(editor.side === "client" ? [takeLimit(db, "copy_org", `${organizationId}:${day}`, now())] : []),
  ]);
  return limits.some(({ allowed }) => !allowed);
}

const AddCcForm = absentAsEmpty(["email"], z.object({ email: z.string().trim().min(1, "Type an address").max(300) }));

const RemoveCcForm = z.object({ copy: z.string().regex(/^cpy_[a-z0-9]{1,40}$/) });

export const CC_PURPOSE = "ticket-copies";

const NOT_ADDED = "Not added";

const MESSAGES = {
  not_an_address: "Type one address, such as name@example.com",
  own_address: "This is our own address",
  is_member: "This person has an account: add them on the ticket instead",
  is_private: "The ticket is private: no copies are sent",
  ...CLOSED,
  too_many: "The ticket has as many addresses as it can have",
  limited: "Too many addresses for now. Try again in an hour",
  changed_since: CHANGED_SINCE,
} as const;

type CcError = keyof typeof MESSAGES | "ticket_not_found";

const ADDED = { kind: "success", title: "Address Added", message: "It gets a mail that says so." } as const;

const REMOVED = { kind: "success", title: "Address Removed", message: "It gets no more mail of this ticket." } as const;

type Params = { ticket: string };

type CcForm<Input> = Submitted<Params> & { input: Input; nonce: string };

const ccActions = <FormActor>(editorOf: (actor: FormActor) => TicketEditor, pathOf: (ticket: string) => string) => ({
  add_copy: {
    purpose: CC_PURPOSE,
    form: AddCcForm,
    invalid: invalidForm(NOT_ADDED),
    run: async (
      ctx: Ctx,
      actor: FormActor,
      { input: { email }, nonce, params: { ticket: ticketId } }: CcForm<{ email: string }>,
    ): Promise<ActionResult<ValidationError>> => {
      const added = await addCc(ctx, editorOf(actor), { ticketId, email, nonce });
      if (added.ok) return done({ to: pathOf(ticketId), flash: ADDED });
      if (added.code === "ticket_not_found") return notFound();
      return invalid({ title: NOT_ADDED, errors: { email: MESSAGES[added.code] }, values: { email } });
    },
  },
  remove_copy: {
    purpose: CC_PURPOSE,
    form: RemoveCcForm,
    invalid: badRequest,
    run: async (
      ctx: Ctx,
      actor: FormActor,
      { input: { copy: ccId }, nonce, params: { ticket: ticketId } }: CcForm<{ copy: string }>,
    ): Promise<ActionResult<never>> => {
      const removed = await removeCc(ctx, editorOf(actor), { ticketId, ccId, nonce });
      return removed.ok ? done({ to: pathOf(ticketId), flash: REMOVED }) : notFound();
    },
  },
});

const byStaff = (actor: StaffActor): TicketEditor => ({ side: "staff", by: asStaff(actor) });

export const staffCcActions = formActions<StaffActor, Params, ValidationError>({ failed: DETAILS_NOT_SAVED })(
  ccActions(byStaff, staffCcPath),
);

export const clientCcActions = formActions<MemberActor, Params, ValidationError>({
  failed: DETAILS_NOT_SAVED,
  conflict: otherOrganization,
})(ccActions((actor: MemberActor) => ({ side: "client", actor }), clientCcPath));

const ProposedCcForm = z.object({ proposal: z.string().regex(/^ccp_[a-z0-9]{1,40}$/) });

type ProposedCcAction = FormAction<StaffActor, TicketPageParams, never, z.output<typeof ProposedCcForm>>;

const errorFlash = (message: string) => ({ kind: "error", title: NOT_ADDED, message }) as const;

export const proposedCcActions: Record<"add_proposed" | "ignore_proposed", ProposedCcAction> = {
  add_proposed: {
    ability: "ticket.handle",
    purpose: CC_PURPOSE,
    failed: DETAILS_NOT_SAVED,
    form: ProposedCcForm,
    invalid: badRequest,
    run: async (ctx, actor, { params: { ticket: ref, path }, input, nonce }) => {
      const ticket = await findTicketForStaff(ctx.db, ref);
      const proposed = ticket && (await listProposedCc(ctx.db, ticket.id)).find(({ id }) => id === input.proposal);
      // Whoever presses twice finds it done.
      if (!ticket || !proposed) return ticket ? done({ to: path }) : notFound();
      const { email } = proposed;
      const editor = byStaff(actor);
      const added = await addCc(ctx, editor, { ticketId: ticket.id, email, nonce });
      if (!added.ok) {
        if (added.code === "ticket_not_found") return notFound();
        if (added.code !== "is_member") return done({ to: path, flash: errorFlash(MESSAGES[added.code]) });
        const person = await addNamedPerson(ctx, editor, { ticketId: ticket.id, userId: "", email, nonce });
        if (!person.ok) return done({ to: path, flash: errorFlash(CHANGED_SINCE) });
      }
      // One that was on the ticket already changed nothing.
      await commit(ctx.db, [endProposal(ctx.db, ticket.id, email)]);
      return done({ to: path, flash: ADDED });
    },
  },
  ignore_proposed: {
    ability: "ticket.handle",
    purpose: CC_PURPOSE,
    failed: DETAILS_NOT_SAVED,
    form: ProposedCcForm,
    invalid: badRequest,
    run: async (ctx, _actor, { params: { ticket: ref, path }, input }) => {
      const ticket = await findTicketForStaff(ctx.db, ref);
      if (!ticket) return notFound();
      await commit(ctx.db, [
        ctx.db
          .update(proposedCopies)
          .set({ ignored_at: ctx.now() })
          .where(sql`id = ${input.proposal} AND ticket_id = ${ticket.id} AND ignored_at IS NULL`),
        expectChange(ctx.db),
        recordAudit(ctx, "ticket.copy_ignored", { subject: ticketSubject(ticket) }),
      ]);
      return done({ to: path });
    },
  },
};

const ccOf = ({ config, request }: Pick<Ctx, "config" | "request">): string | null =>
  readStopCc(config, request.url.searchParams.get("token") ?? "");

/** Opening it ends nothing; it does not name the ticket, because links are passed on. */
export function loadStopCc(ctx: Ctx): ActionResult<{ label: string | null; isDone: boolean }> {
  if (ccOf(ctx) === null) return page({ label: null, isDone: false }, 404);
  return page({ label: "Copies of a ticket", isDone: ctx.request.method === "POST" });
}

/**
 * Ends the copies to an address, also those that wait. The row stays, so that nothing is mailed to its mailbox again;
 * on the ticket nothing changes, because what its owner has chosen is theirs.
 */
async function stopCc({ db }: Pick<Ctx, "db">, ccId: string): Promise<void> {
  const [copy] = await db.select({ email: ticketCopies.email }).from(ticketCopies).where(eq(ticketCopies.id, ccId));
  if (!copy) return;
  await commit(db, [
    db
      .update(ticketCopies)
      .set({ stopped_mailbox: mailboxOf(copy.email) })
      .where(eq(ticketCopies.id, ccId)),
    db.delete(outbox).where(eq(outbox.copy_id, ccId)),
  ]);
}

/** Ends the copies, for the button of the page and for mail programs, which post without cookies (RFC 8058). */
export const stopCcActions = formActions<null, null, null>({
  intentField: null,
  reading: { only: ["List-Unsubscribe"] },
})({
  stop: {
    purpose: null,
    form: z.object({ "List-Unsubscribe": z.literal("One-Click") }),
    invalid: badRequest,
    run: async (ctx) => {
      const ccId = ccOf(ctx);
      if (ccId === null) return notFound();
      await stopCc(ctx, ccId);
      return page(null);
    },
  },
});
