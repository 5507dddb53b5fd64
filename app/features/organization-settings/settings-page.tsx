import { MFA_GRACE } from "~/access/model";
import { CANDIDATES_CUT, CHOOSE_OWNER, ORGANIZATION_ROLE_OPTIONS, TRANSFER_OWNERSHIP } from "~/features/members/labels";
import type { FieldErrors, FormValues, ValidationError } from "~/lib/form";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import {
  ErrorSummary,
  Field,
  Form,
  formKey,
  Input,
  SaveButton,
  Select,
  SubmitButton,
  Textarea,
  Tick,
  TypedConfirmation,
  useFormResult,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { Confirmation, EmptyState, Panel } from "~/ui/page";
import { Time } from "~/ui/text";
import type { loadTransferPage } from "./actions.server";
import { COPIES_AFTER_REVIEW, HISTORY, VISIBILITY_LABELS, withoutFactorText } from "./labels";
import {
  ARCHIVE_PATH,
  HISTORY_PATH,
  type HistoryLine,
  ORGANIZATION_PATH,
  type StoredOrganization,
  TRANSFER_PATH,
  TWO_STEP_ID,
  VISIBILITIES,
  type WithoutFactor,
} from "./model";

const SETTINGS_FORM = "settings";

type SettingsFormProps = { settings: StoredOrganization; token: string; organizationId: string };

export function OrganizationSettingsForm({ settings, token, organizationId }: SettingsFormProps) {
  const result = useFormResult<ValidationError>(formKey(ORGANIZATION_PATH, SETTINGS_FORM));
  const errors: FieldErrors = result?.errors ?? {};
  const values: FormValues = {
    name: settings.name,
    description: settings.description,
    visibility: settings.visibility,
    default_role: settings.defaultRole,
    allows_copies: settings.allowsCopies ? "on" : "",
    version: String(settings.version),
    ...result?.values,
  };
  return (
    <Panel id="details" title="Details">
      <Form
        action={ORGANIZATION_PATH}
        name={SETTINGS_FORM}
        token={token}
        className="grid max-w-160 gap-5"
        key={values.version}
        staysFilled
      >
        {result ? <ErrorSummary title={result.title} errors={errors} /> : null}
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="organization_id" value={organizationId} />
        <input type="hidden" name="version" value={values.version} />
        <Field name="name" label="Name" error={errors.name}>
          <Input autoComplete="organization" defaultValue={values.name} />
        </Field>
        <Field name="description" label="Description" optional error={errors.description}>
          <Textarea rows={3} defaultValue={values.description} />
        </Field>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">Members see</legend>
          {VISIBILITIES.map((each) => (
            <Tick key={each} type="radio" name="visibility" value={each} defaultChecked={each === values.visibility}>
              <span>{VISIBILITY_LABELS[each]}</span>
            </Tick>
          ))}
        </fieldset>
        <Field name="default_role" label="Role of new members" hint="Chosen first when you invite people.">
          <Select className="w-auto!" options={ORGANIZATION_ROLE_OPTIONS} defaultValue={values.default_role} />
        </Field>
        <Tick type="checkbox" name="allows_copies" value="on" defaultChecked={values.allows_copies === "on"}>
          <span>
            Let addresses without an account get copies of tickets
            {settings.isNew ? <span className="block text-ink-2">{COPIES_AFTER_REVIEW}</span> : null}
          </span>
        </Tick>
        <SaveButton>Save</SaveButton>
      </Form>
    </Panel>
  );
}

type MfaPanelProps = {
  requiredAt: number | null;
  withoutFactor: WithoutFactor;
  zone: string;
  token: string;
  organizationId: string;
};

export function MfaRequirementPanel({ requiredAt, withoutFactor, zone, token, organizationId }: MfaPanelProps) {
  const { names, count } = withoutFactor;
  return (
    <Panel id={TWO_STEP_ID} title="Two-step sign-in">
      <div className="grid gap-3">
        <p>
          {requiredAt === null ? (
            "Each member decides. If you require it, members who lack it have 7 days to set it up."
          ) : (
            <>
              Required since <Time at={requiredAt} zone={zone} mode="date" />. Members who lack it lose access on{" "}
              <Time at={requiredAt + MFA_GRACE} zone={zone} mode="date" />, new ones 7 days after joining.
            </>
          )}
        </p>
        <p>{withoutFactorText(withoutFactor)}</p>
        {names.length > 0 ? (
          <ul className="list-disc pl-5">
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two members may have the same name
              <li key={index}>{name}</li>
            ))}
            {count > names.length ? <li>and {count - names.length} more</li> : null}
          </ul>
        ) : null}
        <Form action={ORGANIZATION_PATH} name="require-mfa" token={token} intent="require-mfa">
          <input type="hidden" name="organization_id" value={organizationId} />
          <input type="hidden" name="require_mfa" value={requiredAt === null ? "on" : ""} />
          <SubmitButton variant="quiet" pendingLabel="Saving...">
            {requiredAt === null ? "Require two-step sign-in" : "Stop requiring it"}
          </SubmitButton>
        </Form>
      </div>
    </Panel>
  );
}

export function OwnershipPanel() {
  return (
    <Panel id="ownership" title="Ownership">
      <div className="grid justify-items-start gap-3">
        <p>You own this organization. To leave it, transfer ownership first.</p>
        <LinkButton variant="quiet" to={TRANSFER_PATH}>
          {TRANSFER_OWNERSHIP}
        </LinkButton>
        <p>
          <Link to={HISTORY_PATH}>{HISTORY}</Link>: who invited, removed, changed a role or exported.
        </p>
        <p>
          <Link to={ARCHIVE_PATH}>Download all data</Link>: tickets, files, people and letters, to take along.
        </p>
      </div>
    </Panel>
  );
}

type HistoryFeedProps = { lines: readonly HistoryLine[]; next: number | null; zone: string };

export function HistoryFeed({ lines, next, zone }: HistoryFeedProps) {
  if (lines.length === 0) return <EmptyState title="No history yet" body="What people change here is recorded." />;
  return (
    <>
      <ol className="rounded-3 border border-line bg-sheet *:grid *:grid-cols-[11rem_minmax(0,1fr)] @max-wide:*:grid-cols-1 *:gap-x-4 *:gap-y-1 *:border-line *:border-b *:px-4 *:py-[0.6rem] *:last:border-b-0">
        {lines.map(({ id, at, sentence, details }) => (
          <li key={id}>
            <Time at={at} zone={zone} />
            <p className="wrap-anywhere">
              {sentence}
              {details ? <span className="block text-ink-2">{details}</span> : null}
            </p>
          </li>
        ))}
      </ol>
      {next === null ? null : (
        <p>
          <Link to={`${HISTORY_PATH}?before=${next}`} rel="next">
            Older
          </Link>
        </p>
      )}
    </>
  );
}

const TRANSFER_FORM = "transfer";

type TransferFormProps = Awaited<ReturnType<typeof loadTransferPage>>;

export function TransferForm({ candidates, isCut, organization, token }: TransferFormProps) {
  const result = useFormResult<ValidationError>(formKey(TRANSFER_PATH, TRANSFER_FORM));
  const errors: FieldErrors = result?.errors ?? {};
  const options = [
    { value: "", label: `${CHOOSE_OWNER}…` },
    ...candidates.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
  ];
  return (
    <Confirmation>
      <p>The new owner can do everything in {organization.name}. You become an admin, and can't undo this yourself.</p>
      {result ? <ErrorSummary title={result.title} errors={errors} /> : null}
      <Form action={TRANSFER_PATH} name={TRANSFER_FORM} token={token}>
        <input type="hidden" name="organization_id" value={organization.id} />
        <Field
          name="membership_id"
          label="New owner"
          hint={isCut ? CANDIDATES_CUT : undefined}
          error={errors.membership_id}
        >
          <Select options={options} defaultValue={result?.values.membership_id ?? ""} />
        </Field>
        <TypedConfirmation
          name="confirm_name"
          label="Name of the organization"
          what={organization.name}
          typed={result?.values.confirm_name}
          error={errors.confirm_name}
        />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Transferring...">
            {TRANSFER_OWNERSHIP}
          </SubmitButton>
          <CancelLink to={ORGANIZATION_PATH} />
        </ButtonRow>
      </Form>
    </Confirmation>
  );
}
