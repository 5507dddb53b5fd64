import { suspended } from "~/features/auth/labels";
import { useBrand } from "~/features/settings/brand";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { mailtoHref } from "~/lib/email";
import type { ValidationError } from "~/lib/form";
import { LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Input, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Notice, Page, Panel, Sheet, SheetRows } from "~/ui/page";
import type { NextSteps, OpenInvitation } from "../model";

export function NoOrganization({ isStaff, ...steps }: NextSteps & { tokens: Record<"create" | "ask", string | null> }) {
  const { suspendedFrom, invitations, requested, mayCreate, tokens } = steps;
  return (
    <Page
      title={isStaff ? "You are staff here" : "No organization selected"}
      description={
        isStaff
          ? "Tickets, clients and settings are in the admin area. This is the portal of clients, and you belong to none."
          : "Your account is open, but you work in no organization at the moment."
      }
    >
      {isStaff ? (
        <LinkButton className="justify-self-start" to={ADMIN_HOME_PATH}>
          Open the admin area
        </LinkButton>
      ) : null}
      <div className="grid max-w-[44rem] gap-5">
        {suspendedFrom.map((organization) => {
          const { title, text } = suspended(organization);
          return <Notice key={organization} kind="warning" title={title} message={text} />;
        })}
        {invitations.length > 0 ? (
          <Sheet id="invitations" title="You are invited" isMain>
            <SheetRows>
              {invitations.map((invitation) => (
                <Invitation key={invitation.id} {...invitation} token={tokens.ask ?? ""} />
              ))}
            </SheetRows>
          </Sheet>
        ) : null}
        {requested ? (
          <Panel id="requested" title={requested}>
            <p>We look at your organization first. You get an email as soon as it is open.</p>
          </Panel>
        ) : mayCreate && !isStaff ? (
          <CreateOrganization token={tokens.create ?? ""} />
        ) : null}
        {suspendedFrom.length === 0 && !isStaff ? (
          <Panel id="help" title="Ask us to add you">
            <p>If your organization is a client already, we add you to it.</p>
            <ContactLinks />
          </Panel>
        ) : null}
      </div>
    </Page>
  );
}

/** Its link is in a mail, which proves whose it is; it can be sent again. */
function Invitation({ id, organization, inviter, isExpired, token }: OpenInvitation & { token: string }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="wrap-anywhere">
        <b>{organization}</b>
        <br />
        <span className="text-ink-2 text-sm">
          {inviter} has invited you. {isExpired ? "The link in your mail has expired." : "The link is in your mail."}
        </span>
      </span>
      <Form action={PORTAL_HOME_PATH} name={`ask ${id}`} token={token} intent="ask">
        <input type="hidden" name="membership_id" value={id} />
        <SubmitButton variant="quiet" size="sm" className="max-md:min-h-11">
          Send it again
        </SubmitButton>
      </Form>
    </li>
  );
}

function CreateOrganization({ token }: { token: string }) {
  const problem = useFormResult<ValidationError>(formKey(PORTAL_HOME_PATH, "create"));
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <Panel id="create" title="Create your organization">
      {problem ? <ErrorSummary className="mb-4" title={problem.title} errors={errors} /> : null}
      <Form className="grid gap-4" action={PORTAL_HOME_PATH} name="create" token={token} intent="create">
        <Field name="name" label="Name" error={errors.name}>
          <Input autoComplete="organization" defaultValue={values.name} maxLength={200} />
        </Field>
        <Field
          name="description"
          label="Description"
          hint="What you do and where, in a sentence."
          error={errors.description}
          optional
        >
          <Textarea rows={3} defaultValue={values.description} />
        </Field>
        <SubmitButton className="justify-self-start" pendingLabel="Creating…">
          Create organization
        </SubmitButton>
      </Form>
    </Panel>
  );
}

export function ContactLinks() {
  const { phone, supportEmail } = useBrand();
  return (
    <p className="wrap-anywhere flex flex-wrap gap-x-4 gap-y-1 max-md:[&_a]:py-2">
      {phone ? <a href={phone.href}>{phone.display}</a> : null}
      <a href={mailtoHref(supportEmail)}>{supportEmail}</a>
    </p>
  );
}
