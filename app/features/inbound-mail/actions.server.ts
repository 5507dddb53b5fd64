import * as z from "zod";
import { EmailField } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { NewOrganizationForm } from "~/features/organization-management/forms.server";
import { DOMAIN_TAKEN } from "~/features/organization-management/labels";
import { createClientOrganization } from "~/features/organization-management/new-organization.server";
import { leftOutOf } from "~/features/tickets/actions.server";
import { MAIL_TRIED_AGAIN } from "~/features/tickets/labels";
import { decideMail, RETRY_MAIL_PURPOSE } from "~/features/tickets/mails/delivery.server";
import { absentAsEmpty, type FieldErrors, type ValidationError } from "~/lib/form";
import { isId } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import {
  type FormAction,
  type FormProblem,
  formActions,
  invalidForm,
  rejectButton,
  versionField,
} from "~/platform/form-actions.server";
import { type ActionResult, done, invalid, notFound } from "~/platform/responses.server";
import { sendAnyway } from "./colleague-mail.server";
import { blockSender, discardMail, findReference, placeMail, retryMail, unblockSender } from "./commands.server";
import {
  ALREADY_DECIDED,
  isListedState,
  MAIL_DISCARDED,
  MAIL_NOT_UPDATED,
  MAIL_RETRIED,
  NOT_PLACED,
  NOT_SENT_ANYWAY,
  PLACED_WORDS,
  PLACING_ERRORS,
  SENDER_BLOCKED,
  SENDER_UNBLOCKED,
  SENDING_ERRORS,
  SENDING_FAILED,
  SENT_ANYWAY,
} from "./labels";
import { BLOCK_PURPOSE, DISCARD_PURPOSE, PLACE_PURPOSE, RETRY_PURPOSE } from "./model";
import { FROM_LIST, MAIL_PATH, mailListPath, mailPath } from "./paths";

type Params = { id: string };
type Body = ValidationError;
type Posted = { params: Params; fields: Record<string, string> };

/** Of a row's button it is the list that it was in. */
const backTo = ({ params: { id }, fields }: Posted): string => {
  const list = fields[FROM_LIST] ?? "";
  return isListedState(list) ? mailListPath(list) : mailPath(id);
};

const rejectDecision = (problem: FormProblem, posted: Posted) => rejectButton(backTo(posted), problem, NOT_DONE);

/** Reads the number of a ticket as people write it: T-1042, t-1042, #1042, 1042. */
const TicketField = z
  .string()
  .trim()
  .regex(/^#?(t-?)?\d{1,12}$/i, PLACING_ERRORS.ticket_not_found)
  .transform((text) => `T-${Number(text.replace(/\D/g, ""))}`);

const OrganizationField = z.string().refine((id) => isId("org", id), "Choose an organization");

type Deciding = Posted & {
  /** Names the field by which the destination is chosen. */
  field: string;
  placed: Awaited<ReturnType<typeof placeMail>>;
  errors?: FieldErrors;
};

const AT_FIELD: ReadonlySet<string> = new Set([
  "ticket_not_found",
  "organization_not_found",
  "elsewhere",
  "is_private",
  "too_many_copies",
  "person_not_found",
  "person_of_several",
  "address_taken",
  "address_bounces",
]);

async function alreadyDecided(ctx: Ctx, posted: Posted): Promise<ActionResult<Body>> {
  const reference = await findReference(ctx.db, posted.params.id);
  const message = reference ? `This mail is on ${reference}.` : "This mail does not wait any more.";
  return done({ to: backTo(posted), flash: { kind: "info", title: ALREADY_DECIDED, message } });
}

async function answer(ctx: Ctx, { params, fields, field, placed, errors }: Deciding): Promise<ActionResult<Body>> {
  if (placed.ok) {
    const message = PLACED_WORDS[placed.value.as](placed.value.reference);
    return done({ to: MAIL_PATH, flash: { kind: "success", title: "Decided", message } });
  }
  if (placed.code === "mail_not_found") return notFound();
  if (placed.code === "decided") return alreadyDecided(ctx, { params, fields });
  const { form_token: _, ...typed } = fields;
  const said = { [AT_FIELD.has(placed.code) ? field : "form"]: PLACING_ERRORS[placed.code] };
  return invalid({ title: NOT_PLACED, errors: errors ?? said, values: typed });
}

const invalidDecision = invalidForm(NOT_PLACED);
const NOT_DONE = "Nothing was done. Try again.";

type Destination = Parameters<typeof placeMail>[2]["destination"];

/** Puts a mail where one field says. */
const placing = (
  ability: "ticket.handle" | "ticket.open",
  field: string,
  schema: z.ZodType<string>,
  destinationOf: (text: string) => Destination,
) => ({
  ...{ ability, purpose: PLACE_PURPOSE, invalid: invalidDecision },
  form: absentAsEmpty(
    [field],
    z.object({ [field]: schema }).transform((input) => destinationOf(input[field] ?? "")),
  ),
  run: async (ctx: Ctx, actor: StaffActor, { input: destination, params, fields }: Posted & { input: Destination }) =>
    answer(ctx, {
      ...{ params, fields, field },
      placed: await placeMail(ctx, actor, { mailId: params.id, destination }),
    }),
});

export const mailActions = formActions<StaffActor, Params, Body>({
  reading: { lists: ["to"] },
  failed: MAIL_NOT_UPDATED,
})({
  to_ticket: placing("ticket.handle", "ticket", TicketField, (ticket) => ({ ticket })),
  to_person: placing("ticket.handle", "person", EmailField, (person) => ({ person })),
  new_ticket: placing("ticket.open", "organization_id", OrganizationField, (organizationId) => ({ organizationId })),
  send_anyway: {
    ability: "ticket.reply",
    purpose: PLACE_PURPOSE,
    form: z.object({ version: versionField }),
    failed: SENDING_FAILED,
    invalid: invalidForm(NOT_SENT_ANYWAY),
    run: async (ctx, actor, { input: { version }, params, fields, lists }) => {
      const notTo = leftOutOf({ fields, lists });
      const sent = await sendAnyway(ctx, actor, { mailId: params.id, version, notTo });
      if (sent.ok) {
        const message = SENT_ANYWAY(sent.value.name, sent.value.reference);
        return done({ to: MAIL_PATH, flash: { kind: "success", title: "Reply sent", message } });
      }
      if (sent.code === "mail_not_found") return notFound();
      if (sent.code === "decided") return alreadyDecided(ctx, { params, fields });
      const errors = { [sent.code === "nobody_left" ? "to" : "form"]: SENDING_ERRORS[sent.code] };
      return invalid({ title: NOT_SENT_ANYWAY, errors, values: { intent: "send_anyway", not_to: notTo.join(" ") } });
    },
  },
  discard: {
    ability: "ticket.handle",
    purpose: DISCARD_PURPOSE,
    invalid: rejectDecision,
    run: async (ctx, actor, { params, fields, nonce }) => {
      const posted = { params, fields };
      const discarded = await discardMail(ctx, actor, { mailId: params.id, nonce });
      if (discarded.ok) return done({ to: backTo(posted), flash: { kind: "success", ...MAIL_DISCARDED } });
      return discarded.code === "decided" ? alreadyDecided(ctx, posted) : notFound();
    },
  },
  new_organization: {
    ability: "organization.manage",
    purpose: "mail-organization",
    form: NewOrganizationForm,
    invalid: invalidDecision,
    run: async (ctx, actor, { input: { ownerEmail: _, ...details }, params, fields }) => {
      let errors: FieldErrors | undefined;
      const create = async () => {
        // By the mail, so that two tabs make one.
        const created = await createClientOrganization(ctx, actor, {
          details,
          ownerEmail: null,
          nonce: `mail:${params.id}`,
        });
        if (created.ok) return created.id;
        errors = created.code === "domain_taken" ? { domains: DOMAIN_TAKEN(created.domain) } : { form: NOT_DONE };
        return null;
      };
      const placed = await placeMail(ctx, actor, { mailId: params.id, destination: { create } });
      return answer(ctx, { params, fields, field: "name", placed, errors });
    },
  },
  retry: {
    ability: "ticket.handle",
    purpose: RETRY_PURPOSE,
    invalid: rejectDecision,
    run: async (ctx, actor, { params, fields, nonce }) => {
      const retried = await retryMail(ctx, actor, { mailId: params.id, nonce });
      if (retried.ok) return done({ to: backTo({ params, fields }), flash: { kind: "success", ...MAIL_RETRIED } });
      return answer(ctx, { params, fields, field: "", placed: retried });
    },
  },
  block: {
    ability: "ticket.handle",
    purpose: BLOCK_PURPOSE,
    invalid: rejectDecision,
    run: async (ctx, actor, { params, fields, nonce }) => {
      const blocked = await blockSender(ctx, actor, { mailId: params.id, nonce });
      if (!blocked.ok) return notFound();
      return done({ to: backTo({ params, fields }), flash: { kind: "success", ...SENDER_BLOCKED } });
    },
  },
  unblock: {
    ability: "ticket.handle",
    purpose: BLOCK_PURPOSE,
    invalid: rejectDecision,
    run: async (ctx, _actor, { params: { id: mailId }, nonce }) => {
      const unblocked = await unblockSender(ctx, { mailId, nonce });
      return unblocked.ok
        ? done({ to: mailPath(mailId), flash: { kind: "success", ...SENDER_UNBLOCKED } })
        : notFound();
    },
  },
});

type OneOfOurs = FormAction<StaffActor, null, never, { mail: string }>;

const decideOurs = (decision: Parameters<typeof decideMail>[1]["decision"], title: string): OneOfOurs => ({
  ability: "ticket.reply",
  purpose: RETRY_MAIL_PURPOSE,
  form: z.object({ mail: z.string().max(60) }),
  invalid: (problem) => rejectButton(mailListPath("bounced"), problem, NOT_DONE),
  run: async (ctx, _actor, { input: { mail: mailId }, nonce }) => {
    const decided = await decideMail(ctx, { mailId, nonce, decision });
    const flash = decided.ok
      ? ({ kind: "success", title, message: "" } as const)
      : ({ kind: "info", title: ALREADY_DECIDED, message: "This mail does not wait any more." } as const);
    return done({ to: mailListPath("bounced"), flash });
  },
});

/** Of our own mail that has not arrived, or perhaps not. */
export const undeliveredActions = formActions<StaffActor, null, never>({ failed: MAIL_NOT_UPDATED })({
  arrived: decideOurs("arrived", "Marked as delivered"),
  send_again: decideOurs("sent_again", MAIL_TRIED_AGAIN.title),
  leave: decideOurs("left", "Left as not delivered"),
});
