import type { ReactNode } from "react";
import { FileLink } from "~/features/attachments/file-link";
import { attachmentPath } from "~/features/attachments/model";
import { PlanFields } from "~/features/organization-management/organization-fields";
import { ORGANIZATION_NAME_MAX, organizationPath } from "~/features/organizations/model";
import { useBrand } from "~/features/settings/brand";
import type { FieldErrors, FormValues } from "~/lib/form";
import { formatCents } from "~/lib/numbers";
import { plural } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import {
  Checkbox,
  EmailInput,
  ErrorSummary,
  Field,
  Form,
  formKey,
  Input,
  SubmitButton,
  useFormResult,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { Notice, Panel } from "~/ui/page";
import { MAKE_CLIENT } from "../labels";
import type { ClientFormError, SimilarOrganization } from "../model";
import { submissionPath } from "../subject";
import type { MakeClientPage } from "./make-client.server";

type Props = MakeClientPage & { tokens: { make: string | null; use: string | null } };

export function MakeClient({ submission, similar, known, nameFrom, values: begun, path, tokens }: Props) {
  const failed = useFormResult<ClientFormError>(formKey(path, "make")) ?? null;
  const values = failed?.values ?? begun;
  const errors = failed?.errors ?? {};
  const offered = failed?.values.similar ? (JSON.parse(failed.values.similar) as SimilarOrganization[]) : similar;
  const first = submission.name.split(" ")[0];
  return (
    <>
      {offered.length > 0 ? <Existing {...{ offered, path, first: first ?? "", token: tokens.use ?? "" }} /> : null}
      <div className="grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_18.5rem] items-start gap-5">
        <Form
          action={path}
          token={tokens.make ?? ""}
          name="make"
          className="rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet"
        >
          {failed ? <ErrorSummary className="m-4" title={failed.title} errors={errors} /> : null}
          <input type="hidden" name="seen" value={offered.map(({ id }) => id).join()} />
          <ClientFields
            values={values}
            errors={errors}
            known={known}
            estimate={submission.estimate}
            {...{ nameFrom, begun }}
          />
          <div className="flex flex-wrap items-center gap-3 border-line border-t px-4 py-4">
            <SubmitButton intent="make" pendingLabel="Making...">
              {MAKE_CLIENT}
            </SubmitButton>
            <LinkButton variant="quiet" to={submissionPath(submission.id)}>
              Cancel
            </LinkButton>
            <span className="ml-auto text-ink-2 text-sm">You can undo it for 30 seconds.</span>
          </div>
        </Form>
        <aside className="grid gap-4" aria-label="About this request">
          <Panel id="then" title="When you press the button">
            <ol className="grid list-decimal gap-2 pl-5 text-sm">
              <li>The organization is created with its plan.</li>
              <li>The owner gets an invitation, valid for 7 days.</li>
              <li>The request becomes its first record, with message{submission.file ? ", file" : ""} and replies.</li>
              <li>Once they accept, a ticket for the onboarding is opened.</li>
              <li>{submission.number} becomes Resolved, and links to the client and back.</li>
            </ol>
          </Panel>
          <Panel id="request" title="From the request">
            {submission.message ? <UserText size="sm">{submission.message}</UserText> : <p>No message</p>}
            {submission.file ? (
              <p className="mt-2">
                <FileLink {...submission.file} path={attachmentPath(submission.file.id)} />
              </p>
            ) : null}
          </Panel>
        </aside>
      </div>
    </>
  );
}

type ExistingProps = { offered: readonly SimilarOrganization[]; first: string; path: string; token: string };

function Existing({ offered, first, path, token }: ExistingProps) {
  const { planNames } = useBrand();
  return (
    <section
      className="grid gap-2 rounded-2 border border-warning-line border-l-4 border-l-warning bg-warning-tint px-4 py-3"
      aria-labelledby="existing-title"
    >
      <h2 className="text-md" id="existing-title">
        Is it one of these?
      </h2>
      <ul className="grid gap-2">
        {offered.map(({ id, name, plan, people, domains }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="wrap-anywhere min-w-0">
              <Link to={organizationPath(id)}>{name}</Link>{" "}
              <span className="text-ink-2">
                ({[domains, planNames[plan], people === 1 ? "1 person" : `${people} people`].filter(Boolean).join(", ")}
                )
              </span>
            </span>
            <Form action={path} token={token} name={`use-${id}`}>
              <input type="hidden" name="organization_id" value={id} />
              <SubmitButton variant="quiet" size="sm" intent="use" pendingLabel="Linking...">
                Add {first} there instead<span className="sr-only">: {name}</span>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}

type FieldsProps = {
  values: FormValues;
  errors: FieldErrors;
  known: MakeClientPage["known"];
  estimate: MakeClientPage["submission"]["estimate"];
  nameFrom: string;
  begun: FormValues;
};

function ClientFields({ values, errors, known, estimate, nameFrom, begun }: FieldsProps) {
  const confirms = values.confirm_known || (known.isElsewhere && values.owner_email === begun.owner_email);
  const knownHint = values.owner_email === begun.owner_email ? known.text : undefined;
  return (
    <>
      <Part id="organization" title="Organization" text="What you will call them, and which mail is theirs.">
        <Field name="name" label="Name" hint={nameFrom} error={errors.name}>
          <Input maxLength={ORGANIZATION_NAME_MAX} autoComplete="off" defaultValue={values.name} />
        </Field>
        <Field name="phone" label="Phone" optional error={errors.phone}>
          <Input type="tel" maxLength={40} autoComplete="off" defaultValue={values.phone} />
        </Field>
        <Field
          name="domains"
          label="Email domains"
          optional
          hint={
            begun.domains
              ? "From their address: it is not a public mail service."
              : "Separated by commas. Only domains that the organization has to itself."
          }
          error={errors.domains}
        >
          <Input spellCheck={false} autoComplete="off" defaultValue={values.domains} />
        </Field>
      </Part>
      <Part
        id="plan"
        title="Plan"
        text={
          estimate
            ? `From the estimate: ${plural(estimate.choice.users, "user")}, ${formatCents(estimate.total)} a month.`
            : "No estimate came with the request."
        }
      >
        <PlanFields values={values} errors={errors} />
        <Field
          name="contract_start"
          label="Contract starts"
          hint="Empty: today, if there is a plan."
          error={errors.contract_start}
        >
          <Input type="date" autoComplete="off" defaultValue={values.contract_start} />
        </Field>
      </Part>
      <Part id="owner" title="Owner" text="The person who may invite others.">
        <Field name="owner_name" label="Owner's name" error={errors.owner_name}>
          <Input maxLength={120} autoComplete="off" defaultValue={values.owner_name} />
        </Field>
        <Field name="owner_phone" label="Owner's phone" optional error={errors.owner_phone}>
          <Input type="tel" maxLength={40} autoComplete="off" defaultValue={values.owner_phone} />
        </Field>
        <Field name="owner_email" label="Owner's email" hint={knownHint} error={errors.owner_email}>
          <EmailInput autoComplete="off" defaultValue={values.owner_email} />
        </Field>
        {confirms ? (
          <Checkbox
            name="use_known"
            label="Use that person: they own this client too"
            defaultChecked={Boolean(values.use_known)}
          />
        ) : null}
      </Part>
    </>
  );
}

function Part({ id, title, text, children }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <section
      className="grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[13rem_minmax(0,1fr)] gap-4 border-line border-t p-4 first-of-type:border-t-0"
      aria-labelledby={`${id}-part`}
    >
      <div>
        <h2 className="text-md" id={`${id}-part`}>
          {title}
        </h2>
        <p className="text-ink-2 text-sm">{text}</p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
    </section>
  );
}

type NoneProps = {
  submission: { id: string; number: string; isInModeration: boolean };
  client: MakeClientPage["client"];
  madeBy: MakeClientPage["madeBy"];
};

/** Says why no client is made of it: it is one already, or it waits for review. */
export function NoNewClient({ submission, client, madeBy }: NoneProps) {
  return (
    <div className="grid justify-items-start gap-3">
      {client ? (
        <Notice
          kind="info"
          title={`${submission.number} is a record of ${client.name} already.`}
          message={madeBy ? `${madeBy.name} has made it one.` : undefined}
        />
      ) : (
        <Notice
          kind="warning"
          title="Held for review."
          message="Release it from review first; then a client can be made of it."
        />
      )}
      <LinkButton to={client ? organizationPath(client.id) : submissionPath(submission.id)}>
        {client ? "Open it" : "Back to the submission"}
      </LinkButton>
    </div>
  );
}
