import { IdentityQuestion, methodPath } from "~/features/account/ui/identity-fields";
import type { IdentityRequest } from "~/features/auth/model";
import { Tick } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { FactList } from "~/ui/fact-list";
import { focusOnLoad } from "~/ui/focus";
import { Form } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { SaveButton } from "~/ui/save-button";
import { Time } from "~/ui/time";
import type { GroupView, Question, SettingsError } from "../model";
import { SettingControl } from "./setting-control";

type SettingsFormProps = {
  group: GroupView;
  zone: string;
  token: string;
  identity: IdentityRequest | null;
};

/** Shows a group of settings: its fields, a proof of identity where one is missing, and who has saved it last. */
export function SettingsForm({ group, zone, token, identity }: SettingsFormProps) {
  const { id, label, text, fields, link, lastChange } = group;
  const path = methodPath(group.path, identity?.method);
  const failed = useFormResult<SettingsError>(formKey(path, id));
  const errors = failed?.errors ?? {};
  const preview = failed?.question?.preview ?? group.preview;
  // Of a form that comes back, what it does not hold was not ticked.
  const values = failed?.values ?? { ...group.values, version: String(group.version) };
  return (
    <Panel id={id} title={label}>
      {text ? <p className="mb-5 max-w-160 text-ink-2">{text}</p> : null}
      <Form
        className="grid max-w-160 grid-cols-[minmax(0,1fr)] gap-5"
        action={path}
        token={token}
        name={id}
        key={`${id} ${values.version}`}
        staysFilled
      >
        {Object.keys(errors).length > 0 ? <ErrorSummary title={failed?.title ?? ""} errors={errors} /> : null}
        {failed?.stored ? <StoredMeanwhile stored={failed.stored} /> : null}
        <input type="hidden" name="intent" value={id} />
        <input type="hidden" name="version" value={values.version} />
        {fields.map((field) => (
          <SettingControl key={field.name} field={field} value={values[field.name] ?? ""} error={errors[field.name]} />
        ))}
        {failed?.question ? <Decision title={failed.title} {...failed.question} /> : null}
        {preview ? <img className="h-auto max-w-full border border-line" {...preview} alt={preview.alt} /> : null}
        <IdentityQuestion identity={identity} page={group.path} errors={errors} />
        <SaveButton>Save</SaveButton>
      </Form>
      {link ? (
        <p className="mt-4">
          <Link to={link.to}>{link.label}</Link>
        </p>
      ) : null}
      {lastChange ? (
        <p className="mt-4 text-ink-2 text-sm">
          Last changed by {lastChange.by ?? "a person who has left"},{" "}
          <Time at={lastChange.at} zone={zone} mode="short" />.
        </p>
      ) : null}
    </Panel>
  );
}

/** Asks what must be decided before the form is saved. */
function Decision({ title, text, choices }: Question & { title: string }) {
  return (
    <fieldset className="grid gap-3 border-brand border-l-4 pl-4" role="alert" tabIndex={-1} {...focusOnLoad}>
      <legend className="sr-only">{title}</legend>
      <p className="font-semibold">{text}</p>
      {choices.map(({ value, label }, index) => (
        <Tick
          key={value}
          type={choices.length > 1 ? "radio" : "checkbox"}
          name="decision"
          value={value}
          defaultChecked={choices.length > 1 && index === 0}
        >
          <span>{label}</span>
        </Tick>
      ))}
    </fieldset>
  );
}

/** Shows what somebody else has saved, where it differs from what was typed. */
function StoredMeanwhile({ stored }: { stored: NonNullable<SettingsError["stored"]> }) {
  if (stored.length === 0) return null;
  return (
    <div>
      <p className="mb-2 font-semibold">Saved now, where it differs from yours:</p>
      <FactList facts={stored.map(({ label, value }) => ({ term: label, detail: value }))} terms="long" />
    </div>
  );
}
