import { ROLE_OPTIONS } from "~/features/members/copy";
import type { FieldErrors, FormValues, ValidationError } from "~/lib/form";
import { Tick } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Input } from "~/ui/input";
import { Panel } from "~/ui/panel";
import { SaveButton } from "~/ui/save-button";
import { Select } from "~/ui/select";
import { Textarea } from "~/ui/textarea";
import { COPIES_AFTER_REVIEW, VISIBILITY_LABELS } from "../copy";
import { ORGANIZATION_PATH, type StoredSettings, VISIBILITIES } from "../model";

const FORM = "settings";

type SettingsFormProps = { settings: StoredSettings; token: string; organizationId: string };

/** Shows what the admins of the organization may change of it. */
export function SettingsForm({ settings, token, organizationId }: SettingsFormProps) {
  const result = useFormResult<ValidationError>(formKey(ORGANIZATION_PATH, FORM));
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
        name={FORM}
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
          <Select className="w-auto!" options={ROLE_OPTIONS} defaultValue={values.default_role} />
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
