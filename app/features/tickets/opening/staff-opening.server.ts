import { sql } from "drizzle-orm";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { askAboutSecrets } from "~/features/conversation/secrets";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { submissionPath } from "~/features/submissions/subject";
import { withParams } from "~/lib/addresses";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { HELD_WORDS } from "~/lib/held-reason";
import { isId, referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { impactError, NewTicketFields } from "../forms.server";
import { CHOOSE_PERSON, TICKET_CREATED, TICKET_FAILED } from "../labels";
import { newStaffTicketPath, staffTicketPath } from "../paths";
import type { HeldSource, OpeningSource } from "./model";
import { openTicket } from "./open-ticket.server";

const PEOPLE_SHOWN = 200;

/**
 * Reads the organizations and people for whom staff may open a ticket: organizations, those that a search finds, and
 * the active members of the one that the address names. Null people: no organization is chosen yet. Where the address
 * names a submission, the form begins with what it says, unless that is held for review: what may be advertising is
 * mailed to no client.
 */
export async function readStaffOpening(db: Db, actor: StaffActor, params: URLSearchParams) {
  const asked = params.get("organization") ?? "";
  const chosen = isId("org", asked) ? asked : null;
  const search = (params.get("find") ?? "").trim();
  const from = params.get("submission") ?? "";
  const submissionId = isId("sub", from) && can(actor, "submission.view") ? from : null;
  const [{ choices: organizations, isMore }, people, source] = await Promise.all([
    findOrganizationChoices(db, { search, chosen }),
    chosen === null ? null : listMembers(db, { organizationId: chosen, submissionId }),
    submissionId === null ? null : findSource(db, submissionId),
  ]);
  const organization = organizations.find(({ id }) => id === chosen) ?? null;
  const path = newStaffTicketPath(organization?.id ?? null);
  const submission = source && "held" in source ? null : source;
  return {
    organizations,
    isMore,
    search,
    organization,
    people: organization ? people : null,
    submission,
    held: source && "held" in source ? source.held : null,
    path: submission ? withParams(path, { submission: submission.id }) : path,
  };
}

type MembersAsked = { organizationId: string; submissionId: string | null };

/**
 * Lists active members whose account is active by name; the one who sent the submission first, so that a limit never
 * leaves them out.
 */
const listMembers = (
  db: Db,
  { organizationId, submissionId }: MembersAsked,
): Promise<{ id: string; name: string; email: string }[]> =>
  db.all(sql`
    SELECT u.id, u.full_name AS name, u.email FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND m.status = 'active' AND u.status = 'active'
    ORDER BY u.email = (SELECT email FROM contact_submissions WHERE id = ${submissionId} AND held_reason IS NULL) DESC,
      u.full_name
    LIMIT ${PEOPLE_SHOWN}`);

async function findSource(db: Db, id: string): Promise<OpeningSource | { held: HeldSource } | null> {
  const submission = await findSubmission(db, id);
  if (!submission) return null;
  const { number, name, email, message, heldReason } = submission;
  const path = submissionPath(id);
  if (heldReason) return { held: { number, path, reason: HELD_WORDS[heldReason] } };
  return { id, number, name, email, message: message ?? "", path };
}

const PURPOSE = "ticket-new-for-client";

type Rejection = { title: string; errors: FieldErrors };

/** Shows the form again with what was typed. The files that came with it are not kept. */
function reject(ctx: Pick<Ctx, "after" | "files">, posted: PostedForm, { title, errors }: Rejection) {
  discardFiles(ctx, posted);
  const { form_token: _, ...values } = posted.fields;
  return invalid<ValidationError>({ title, errors, values });
}

const personError = ({ person }: { person?: string }): FieldErrors => (person ? {} : { person: CHOOSE_PERSON });

export const staffOpeningActions = formActions<StaffActor, null, ValidationError>({
  intentField: null,
  reading: (ctx) => ({ upload: ticketUpload(ctx, [PURPOSE]) }),
})({
  open: {
    ability: "ticket.open",
    purpose: PURPOSE,
    takesFiles: true,
    form: NewTicketFields,
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
