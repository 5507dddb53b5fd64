import { sql } from "drizzle-orm";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { TITLES } from "~/features/auth/labels";
import { isOurAddress, listContacts, PROGRAM_MAILBOX } from "~/features/contacts/queries.server";
import { askAboutSecrets } from "~/features/conversation/secrets";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { submissionPath } from "~/features/submissions/subject";
import { withParams } from "~/lib/addresses";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { isId, referenceNumber } from "~/lib/ids";
import { MODERATION_LABELS } from "~/lib/moderation";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { impactError, NewTicketFields } from "../forms.server";
import {
  ADDRESS_OF_OURS,
  ADDRESS_OF_REQUESTER,
  CHOOSE_PERSON,
  IS_COLLEAGUE,
  IS_SUSPENDED,
  NAME_OF_REQUESTER,
  PERSON_OR_TYPED,
  TICKET_CREATED,
  TICKET_FAILED,
} from "../labels";
import { newStaffTicketPath, staffTicketPath } from "../paths";
import { type OpeningError, openTicket, type Requester } from "./open-ticket.server";

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
  const [{ choices: organizations, isMore }, people, { contacts, hasMoreContacts }, { submission, inModeration }] =
    await Promise.all([
      findOrganizationChoices(db, { search, chosen }),
      chosen === null ? null : listOpeningMembers(db, { organizationId: chosen, submissionId }),
      chosen === null ? { contacts: [], hasMoreContacts: false } : listContacts(db, chosen),
      submissionId === null ? NO_SOURCE : findSource(db, submissionId),
    ]);
  const organization = organizations.find(({ id }) => id === chosen) ?? null;
  const invited =
    people?.length === 0
      ? await db.all(sql`
          SELECT 1 FROM organization_memberships WHERE organization_id = ${chosen} AND status = 'pending' LIMIT 1`)
      : [];
  const path = newStaffTicketPath(organization?.id ?? null);
  return {
    organizations,
    isMore,
    search,
    organization,
    people: organization ? people : null,
    isInvited: invited.length > 0,
    contacts: organization ? contacts.map(({ id, name, email }) => ({ id, name, email })) : [],
    hasMoreContacts,
    submission,
    inModeration,
    path: submission ? withParams(path, { submission: submission.id }) : path,
  };
}

/**
 * Lists active members whose account is active by name; the one who sent the submission first, so that a limit never
 * leaves them out.
 */
export const listOpeningMembers = (
  db: Db,
  { organizationId, submissionId = null }: { organizationId: string; submissionId?: string | null },
): Promise<{ id: string; name: string; email: string }[]> =>
  db.all(sql`
    SELECT u.id, u.full_name AS name, u.email FROM organization_memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND m.status = 'active' AND u.status = 'active'
    ORDER BY u.email = (SELECT email FROM contact_submissions WHERE id = ${submissionId} AND held_reason IS NULL) DESC,
      u.full_name
    LIMIT ${PEOPLE_SHOWN}`);

const NO_SOURCE = { submission: null, inModeration: null };

async function findSource(db: Db, id: string) {
  const submission = await findSubmission(db, id);
  if (!submission) return NO_SOURCE;
  const { number, name, email, message, moderationReason } = submission;
  const path = submissionPath(id);
  return moderationReason
    ? { submission: null, inModeration: { number, path, reason: MODERATION_LABELS[moderationReason] } }
    : { submission: { id, number, name, email, message: message ?? "", path }, inModeration: null };
}

const PURPOSE = "ticket-new-for-client";

export function requesterRefusal(
  code: Exclude<OpeningError, "organization_not_found">,
  requester: Requester,
): FieldErrors {
  const { person = "" } = REFUSALS[code];
  return "contact" in requester ? { requester_email: person } : { person };
}

const REFUSALS: Record<Exclude<OpeningError, "organization_not_found">, FieldErrors> = {
  person_not_found: { person: CHOOSE_PERSON },
  is_colleague: { person: IS_COLLEAGUE },
  is_suspended: { person: IS_SUSPENDED },
};

type Rejection = { title: string; errors: FieldErrors };

/** Shows the form again with what was typed. The files that came with it are not kept. */
function reject(ctx: Pick<Ctx, "after" | "files">, posted: PostedForm, { title, errors }: Rejection) {
  discardFiles(ctx, posted);
  const { form_token: _, ...values } = posted.fields;
  return invalid<ValidationError>({ title, errors, values });
}

const REQUESTER_LIMITS = { name: 120, phone: 40 };

type TypedRequester = Partial<Record<"person" | "requester_name" | "requester_email" | "requester_phone", string>>;

export function requesterOf(typed: TypedRequester): { errors: FieldErrors; requester: Requester } {
  const person = typed.person ?? "";
  const name = oneLine(typed.requester_name ?? "");
  const email = normalizeEmail(typed.requester_email ?? "");
  const phone = oneLine(typed.requester_phone ?? "");
  const isTyped = name !== "" || email !== "" || phone !== "";
  const requester: Requester =
    person === ""
      ? {
          contact: {
            email,
            fullName: name.slice(0, REQUESTER_LIMITS.name),
            phone: phone.slice(0, REQUESTER_LIMITS.phone),
          },
        }
      : isId("con", person)
        ? { contactId: person }
        : { userId: person };
  if (person !== "") return { requester, errors: isTyped ? { person: PERSON_OR_TYPED } : {} };
  if (!isTyped) return { requester, errors: { person: CHOOSE_PERSON } };
  const isAddress = email.length <= EMAIL_MAX && isEmailAddress(email) && !PROGRAM_MAILBOX.test(email);
  return {
    requester,
    errors: {
      ...(name === "" ? { requester_name: NAME_OF_REQUESTER } : {}),
      ...(isAddress ? {} : { requester_email: ADDRESS_OF_REQUESTER }),
    },
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

export const staffOpeningActions = formActions<StaffActor, null, ValidationError>({
  intentField: null,
  reading: (ctx) => ({ upload: ticketUpload(ctx, [PURPOSE]) }),
})({
  open: {
    ability: "ticket.open",
    purpose: PURPOSE,
    takesFiles: true,
    form: NewTicketFields,
    failed: TICKET_FAILED,
    invalid: (problem, posted, ctx) =>
      reject(
        ctx,
        posted,
        problem.code === "token"
          ? { title: TICKET_FAILED, errors: { form: FORM_TOO_OLD } }
          : {
              title: TITLES.validation,
              errors: { ...requesterOf(problem.values).errors, ...problem.errors, ...impactError(problem.values) },
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
      const { requester, errors } = requesterOf(posted.fields);
      if ("contact" in requester && (await isOurAddress(ctx, requester.contact.email)))
        errors.requester_email = ADDRESS_OF_OURS;
      if (Object.keys(errors).length > 0) return reject(ctx, posted, { title: TITLES.validation, errors });
      const { organization_id: organizationId, ...ticket } = input;
      const opened = await openTicket(ctx, actor, { ...ticket, organizationId, requester, files, nonce });
      if (opened.ok) {
        const to = staffTicketPath(referenceNumber("ticket", opened.value.number));
        return done({ to, flash: { kind: "success", ...TICKET_CREATED } });
      }
      if (opened.code !== "organization_not_found")
        return reject(ctx, posted, { title: TITLES.validation, errors: requesterRefusal(opened.code, requester) });
      discardFiles(ctx, posted);
      return notFound();
    },
  },
});
