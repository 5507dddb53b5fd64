import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { ClientActor, MemberActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { askAboutSecrets } from "~/features/conversation/secrets";
import { impactError, NewTicketFields } from "~/features/tickets/forms.server";
import { TICKET_CREATED, TICKET_FAILED } from "~/features/tickets/labels";
import { readNewTicket } from "~/features/tickets/opening/client-opening.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { clientTicketPath } from "~/features/tickets/paths";
import { type FieldErrors, type FormValues, type ValidationError, withoutSecrets } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, formActions, formTokens } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { dashboardActions } from "./actions.server";
import { switchOrganization } from "./commands.server";
import { readNextSteps } from "./read-dashboard.server";

export const NEW_TICKET_PURPOSE = "ticket-new";

const rejected = (title: string, errors: FieldErrors, values: FormValues) =>
  invalid<ValidationError>({ title, errors, values });

export const newTicketActions = formActions<MemberActor, null, ValidationError>({
  intentField: null,
  reading: (ctx) => ({ upload: ticketUpload(ctx, [NEW_TICKET_PURPOSE]) }),
})({
  open: {
    ability: "ticket.open",
    purpose: NEW_TICKET_PURPOSE,
    takesFiles: true,
    form: NewTicketFields,
    failed: TICKET_FAILED,
    invalid: (problem, posted, ctx) => {
      discardFiles(ctx, posted);
      const { values } = problem;
      if (problem.code === "token") return rejected(TICKET_FAILED, { form: TICKET_FAILED }, values);
      return rejected(TITLES.validation, { ...problem.errors, ...impactError(values) }, values);
    },
    run: async (ctx, actor, { input, nonce, ...posted }) => {
      const received = receivedFiles(ctx, posted);
      const values = withoutSecrets(posted.fields, ["form_token"]);
      if (received.error !== null) return rejected(TITLES.validation, { files: received.error }, values);
      const { title, description, impact } = input;
      const question = askAboutSecrets({ title, description, impact }, values.secret);
      if (question) {
        discardFiles(ctx, posted);
        return rejected(TITLES.validation, question.errors, { ...values, secret: question.secret });
      }
      const { organization_id: organizationId, ...ticket } = input;
      const opened = await openTicket(ctx, actor, { ...ticket, organizationId, files: received.files, nonce });
      if (!opened.ok) {
        discardFiles(ctx, posted);
        return notFound();
      }
      const isOther = organizationId !== actor.membership.organizationId;
      if (isOther) await switchOrganization(ctx, actor, organizationId);
      const to = clientTicketPath(referenceNumber("ticket", opened.value.number));
      return done({ to, flash: { kind: "success", ...TICKET_CREATED }, newDocument: isOther });
    },
  },
});

export async function loadNewTicketPage(ctx: Ctx, actor: ClientActor) {
  const { membership } = actor;
  if (membership) {
    const page = await readNewTicket(ctx, { ...actor, membership });
    return { ...page, token: issueFormToken(ctx, NEW_TICKET_PURPOSE), nextSteps: null };
  }
  return { nextSteps: { ...(await readNextSteps(ctx, actor)), tokens: formTokens(ctx, actor, dashboardActions) } };
}

export type LoadedNewTicket = Awaited<ReturnType<typeof loadNewTicketPage>>;
