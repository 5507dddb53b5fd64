import type { ReactNode } from "react";
import { IdentityQuestion, OtherMethodButton } from "~/features/account/identity-fields";
import { readPairs, withNames } from "~/features/settings/model";
import { PORTRAIT_PATH } from "~/features/settings/paths";
import type { FormValues } from "~/lib/form";
import { ErrorSummary, Form, formKey, SaveButton, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { Columns, Panel } from "~/ui/page";
import type { ContentControl, GroupView, SettingsError } from "./model";
import { LastChange, Question, SettingControl, StoredMeanwhile } from "./settings-page";

type ContentFormProps = {
  group: GroupView & { token: string };
  controls: readonly ContentControl[];
  names: Record<string, string>;
  page: string;
  hasPortrait: boolean;
  zone: string;
};

export function ContentForm({ group, controls, names, page, hasPortrait, zone }: ContentFormProps) {
  const { id, path, label, token } = group;
  const failed = useFormResult<SettingsError>(formKey(path, id));
  const errors = failed?.errors ?? {};
  const identity = failed?.identity ?? null;
  const values = failed?.values ?? { ...group.values, version: String(group.version) };
  return (
    <Columns className="*:first:flex-[3_1_min(100%,34rem)] *:last:flex-[1_1_min(100%,17rem)]">
      <Panel id={id} title={label}>
        <Form className="grid gap-6" action={path} token={token} name={id} key={`${id} ${values.version}`} staysFilled>
          {Object.keys(errors).length > 0 ? <ErrorSummary title={failed?.title ?? ""} errors={errors} /> : null}
          {failed?.stored ? <StoredMeanwhile stored={failed.stored} /> : null}
          <input type="hidden" name="intent" value={id} />
          <input type="hidden" name="version" value={values.version} />
          {controls.map((control) => (
            <div key={control.name} className="grid gap-x-6 gap-y-2 *:first:self-start md:grid-cols-2">
              <SettingControl field={control} value={values[control.name] ?? ""} error={errors[control.name]} />
              <Standard {...control} />
            </div>
          ))}
          {identity ? (
            <Question title={failed?.title ?? ""}>
              <IdentityQuestion identity={identity} errors={errors} />
            </Question>
          ) : null}
          <div className="flex flex-wrap items-center gap-2">
            <SaveButton>Publish</SaveButton>
            <SubmitButton variant="quiet" name="preview" value="on">
              Preview
            </SubmitButton>
            <OtherMethodButton identity={identity} name="other_method" />
          </div>
        </Form>
        <p className="mt-4 text-ink-2">
          Empty: the default. Published texts are public within a minute. <Link to={page}>See the page</Link>
        </p>
        {hasPortrait ? (
          <p className="mt-2">
            <Link to={PORTRAIT_PATH}>Change the founder’s picture</Link>
          </p>
        ) : null}
        <LastChange lastChange={group.lastChange} zone={zone} />
      </Panel>
      <Panel id="preview" title="Preview">
        <ContentPreview controls={controls} values={values} names={names} />
      </Panel>
    </Columns>
  );
}

/** What pages say while the field beside it is empty. */
function Standard({ kind, standard }: ContentControl) {
  if (kind === "tick") return null;
  return (
    <div className="border-line border-l-2 pl-4 text-ink-2 text-sm">
      <b className="block">Default</b>
      <UserText size="sm">{standard || "Nothing. It is left out until you write it."}</UserText>
    </div>
  );
}

type ContentPreviewProps = {
  controls: readonly ContentControl[];
  values: FormValues;
  names: Record<string, string>;
};

/** Everything in its order as it was typed, or its default. Markup is text. */
function ContentPreview({ controls, values, names }: ContentPreviewProps) {
  return (
    <div className="wrap-anywhere grid grid-cols-[minmax(0,1fr)] gap-4">
      {controls.map((control) => (
        <Shown key={control.name} control={control} text={shownText(control, values, names)} />
      ))}
    </div>
  );
}

function shownText({ name, standard, kind }: ContentControl, values: FormValues, names: Record<string, string>) {
  const written = values[name]?.trim() ?? "";
  return kind === "tick" ? written : withNames((written || standard).replace(/\r\n?/g, "\n"), names);
}

function Shown({ control: { label, format, isHeadline }, text }: { control: ContentControl; text: string }): ReactNode {
  if (format === "tick") return text === "on" ? <p className="font-semibold">{label}</p> : null;
  if (text === "") return null;
  if (isHeadline) return <p className="whitespace-pre-line font-bold text-xl/[1.15]">{text}</p>;
  return (
    <div>
      <p className="text-ink-2 text-sm">{label}</p>
      <ShownText format={format} text={text} />
    </div>
  );
}

function ShownText({ format, text }: { format: ContentControl["format"]; text: string }): ReactNode {
  if (format === "list")
    return (
      <ul className="list-disc pl-5">
        {text.split("\n").map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and none moves
          <li key={index}>{one}</li>
        ))}
      </ul>
    );
  if (format === "pairs")
    return (
      <dl className="grid gap-2">
        {readPairs(text).map(({ title, text: below }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <div key={index}>
            <dt className="font-semibold">{title}</dt>
            <dd>{below}</dd>
          </div>
        ))}
      </dl>
    );
  return <p className="whitespace-pre-line">{text}</p>;
}
