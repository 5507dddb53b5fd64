import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/reference-number";
import { done, invalid, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { CHOOSE_PERSON, TICKET_CREATED, TICKET_FAILED } from "../labels";
import { askAboutSecrets } from "../secrets/ask-about-secrets.server";
import { staffTicketPath } from "../subject";
import { impactError, NewTicketForm } from "./forms.server";
import { openTicket } from "./open-ticket.server";

const PURPOSE = "ticket-new-for-client";

type Rejection = { title: string; errors: FieldErrors };

/** Shows the form again with what was typed. The files that came with it are not kept. */
function reject(ctx: Pick<Ctx, "after" | "files">, posted: PostedForm, { title, errors }: Rejection) {
  discardFiles(ctx, posted);
  const { form_token: _, ...values } = posted.fields;
  return invalid<ValidationError>({ title, errors, values });
}

/** Returns the error of a form in which no person was chosen, beside those of other fields. */
const personError = ({ person }: { person?: string }): FieldErrors => (person ? {} : { person: CHOOSE_PERSON });

/** Handles the form by which staff open a ticket for a client. */
export const staffOpeningActions = formActions<StaffActor, null, ValidationError>({
  intentField: null,
  reading: (ctx) => ({ upload: ticketUpload(ctx, [PURPOSE]) }),
})({
  open: {
    ability: "ticket.open",
    purpose: PURPOSE,
    takesFiles: true,
    form: NewTicketForm,
    invalid: (problem, posted, ctx) =>
      reject(
        ctx,
        posted,
        problem.code === "token"
          ? { title: TICKET_FAILED, errors: { form: FORM_TOO_OLD } }
          : {
              title: TITLES.validation,
              errors: { ...personError(problem.values), ...problem.errors, ...impactError(problem.values) },
            },
      ),
    run: async (ctx, actor, { input, nonce, ...posted }) => {
      const { files, error } = receivedFiles(ctx, posted);
      if (error !== null) return reject(ctx, posted, { title: TITLES.validation, errors: { files: error } });
      const { title, description, impact } = input;
      const question = askAboutSecrets({ title, description, impact }, posted.fields.secret);
      if (question) {
        const { secret, errors } = question;
        return reject(ctx, { ...posted, fields: { ...posted.fields, secret } }, { title: TITLES.validation, errors });
      }
      const { organization_id: organizationId, ...ticket } = input;
      const forUser = posted.fields.person ?? "";
      const opened = await openTicket(ctx, actor, { ...ticket, organizationId, forUser, files, nonce });
      if (opened.ok) {
        const to = staffTicketPath(referenceNumber("ticket", opened.value.number));
        return done({ to, flash: { kind: "success", ...TICKET_CREATED } });
      }
      if (opened.code === "person_not_found")
        return reject(ctx, posted, { title: TITLES.validation, errors: { person: CHOOSE_PERSON } });
      discardFiles(ctx, posted);
      return notFound();
    },
  },
});
