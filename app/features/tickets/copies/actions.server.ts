import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import { otherOrganization } from "~/features/organizations/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ValidationError } from "~/lib/form";
import { type ActionResult, badRequest, done, invalid, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { clientCopiesPath, staffCopiesPath } from "../subject";
import { addCopy, type CopyEditor, type CopyError, removeCopy } from "./change-copies.server";
import { AddCopyForm, RemoveCopyForm } from "./forms.server";
import { CLOSED } from "./model";

/** Names the purpose of the tokens of the page. */
export const COPIES_PURPOSE = "ticket-copies";

const NOT_ADDED = "Not added";

const MESSAGES: Record<Exclude<CopyError, "ticket_not_found">, string> = {
  not_an_address: "Type one address, such as name@example.com",
  own_address: "This is our own address",
  is_member: "This person has an account: add them on the ticket instead",
  is_private: "The ticket is private: no copies are sent",
  ...CLOSED,
  too_many: "The ticket has as many addresses as it can have",
  limited: "Too many addresses for now. Try again in an hour",
  changed_since: CHANGED_SINCE,
};

type Posted = { ticketId: string; nonce: string; path: string };

async function add(
  ctx: Ctx,
  editor: CopyEditor,
  { email, path, ...posted }: Posted & { email: string },
): Promise<ActionResult<ValidationError>> {
  const added = await addCopy(ctx, editor, { ...posted, email });
  const flash = { kind: "success", title: "Address Added", message: "It gets a mail that says so." } as const;
  if (added.ok) return done({ to: path, flash });
  if (added.code === "ticket_not_found") return notFound();
  return invalid({ title: NOT_ADDED, errors: { email: MESSAGES[added.code] }, values: { email } });
}

async function remove(
  ctx: Ctx,
  editor: CopyEditor,
  { copyId, path, ...posted }: Posted & { copyId: string },
): Promise<ActionResult<ValidationError>> {
  const removed = await removeCopy(ctx, editor, { ...posted, copyId });
  const flash = { kind: "success", title: "Address Removed", message: "It gets no more mail of this ticket." } as const;
  return removed.ok ? done({ to: path, flash }) : notFound();
}

/** Names the ticket by its number or id, as in the address. */
type Params = { ticket: string };

const asStaff = ({ userId, fullName }: StaffActor): CopyEditor => ({
  side: "staff",
  by: { userId, fullName, side: "staff" },
});

/** Handles the forms of the page for staff. */
export const staffCopyActions = formActions<StaffActor, Params, ValidationError>()({
  add_copy: {
    ability: "ticket.handle",
    purpose: COPIES_PURPOSE,
    form: AddCopyForm,
    invalid: invalidForm(NOT_ADDED),
    run: (ctx, actor, { input, nonce, params: { ticket } }) =>
      add(ctx, asStaff(actor), { ticketId: ticket, nonce, path: staffCopiesPath(ticket), email: input.email }),
  },
  remove_copy: {
    ability: "ticket.handle",
    purpose: COPIES_PURPOSE,
    form: RemoveCopyForm,
    invalid: badRequest,
    run: (ctx, actor, { input, nonce, params: { ticket } }) =>
      remove(ctx, asStaff(actor), { ticketId: ticket, nonce, path: staffCopiesPath(ticket), copyId: input.copy }),
  },
});

/** Handles the forms of the page for clients. */
export const clientCopyActions = formActions<MemberActor, Params, ValidationError>({ conflict: otherOrganization })({
  add_copy: {
    purpose: COPIES_PURPOSE,
    form: AddCopyForm,
    invalid: invalidForm(NOT_ADDED),
    run: (ctx, actor, { input, nonce, params: { ticket } }) => {
      const posted = { ticketId: ticket, nonce, path: clientCopiesPath(ticket), email: input.email };
      return add(ctx, { side: "client", actor }, posted);
    },
  },
  remove_copy: {
    purpose: COPIES_PURPOSE,
    form: RemoveCopyForm,
    invalid: badRequest,
    run: (ctx, actor, { input, nonce, params: { ticket } }) => {
      const posted = { ticketId: ticket, nonce, path: clientCopiesPath(ticket), copyId: input.copy };
      return remove(ctx, { side: "client", actor }, posted);
    },
  },
});
