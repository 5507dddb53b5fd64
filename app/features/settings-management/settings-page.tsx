import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { IdentityQuestion, OtherMethodButton } from "~/features/account/identity-fields";
import { DetailsForm, PasswordForm } from "~/features/account/profile-forms";
import { type SettingField, timePairs } from "~/features/settings/model";
import type { ValidationError } from "~/lib/form";
import { Button, ButtonRow, buttonStyle, LinkButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import {
  Checkbox,
  EmailInput,
  ErrorSummary,
  Field,
  FieldError,
  Form,
  focusOnLoad,
  formKey,
  Input,
  SaveButton,
  Select,
  Textarea,
  Tick,
  useFieldError,
  useFormResult,
  usePostedResult,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";
import { Time } from "~/ui/text";
import type { DayPresets, GroupView, SettingQuestion, SettingsError } from "./model";
import type { readSettingsPage } from "./settings-page.server";

type SettingControlProps = { field: SettingField; value: string; error?: string; presets?: DayPresets | null };

export function SettingControl({ field, value, error, presets = null }: SettingControlProps) {
  const { name, label, hint, optional } = field;
  if (field.kind === "times") return <DayTimes {...{ name, label, value, error }} />;
  if (field.kind === "days") return <DaysOff {...{ name, label, hint, value, error, presets }} />;
  if (field.kind === "color") return <ColorField {...{ name, label, hint, value, error }} />;
  if (field.kind === "tick")
    return <Checkbox name={name} label={label} hint={hint} error={error} defaultChecked={value === "on"} />;
  if (field.kind === "radio") return <Choices field={field} value={value} error={error} />;
  return (
    <Field name={name} label={label} hint={hint} error={error} optional={optional}>
      <Control field={field} value={value} />
    </Field>
  );
}

type OwnControlProps = { name: string; label: string; hint?: string; value: string; error?: string };

/** The times of a day in a row; empty when it is closed. */
function DayTimes({ name, label, value, error: given }: OwnControlProps) {
  const { error, onInput } = useFieldError(given);
  const [first = ["", ""], ...breaks] = timePairs(value);
  const pair = ([from, until]: readonly [string, string], key: number) => (
    <span key={key} className="flex flex-wrap items-center gap-2">
      {[from, until].map((time, place) => (
        <Input
          // biome-ignore lint/suspicious/noArrayIndexKey: from and until stay in their places
          key={place}
          id={key === 0 && place === 0 ? name : undefined}
          className="w-34"
          type="time"
          name={name}
          aria-label={`${label} ${place === 0 ? "from" : "until"}${key > 0 ? `, ${key + 1}` : ""}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error` : undefined}
          defaultValue={time === "24:00" ? "00:00" : time}
        />
      ))}
    </span>
  );
  const spare = breaks.length + 1;
  return (
    <div
      className="grid @max-narrow:grid-cols-[minmax(0,1fr)] grid-cols-[7rem_minmax(0,1fr)] items-start gap-x-4 gap-y-1"
      onInput={onInput}
    >
      <b className="@min-narrow:py-2">{label}</b>
      <div className="grid gap-1">
        {error ? <FieldError id={name}>{error}</FieldError> : null}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {pair(first, 0)}
          {breaks.map((one, index) => pair(one, index + 1))}
          {value !== "" && spare < 4 ? (
            <details className="open:basis-full">
              <summary className="cursor-pointer py-2 text-link text-sm underline">
                Add a break
                <span className="sr-only"> on {label}</span>
              </summary>
              {pair(["", ""], spare)}
            </details>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** A form button that fills fields and saves nothing. */
const FillButton = ({ value, children }: { value: string; children: ReactNode }) => (
  <Button type="submit" variant="quiet" size="sm" name="fill" value={value}>
    {children}
  </Button>
);

function DaysOff({
  name,
  label,
  hint,
  value,
  error: given,
  presets,
}: OwnControlProps & { presets: DayPresets | null }) {
  const { error, onInput } = useFieldError(given);
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  const years = [...new Set(lines.map((line) => /^(\d{4})-/.exec(line)?.[1] ?? ""))].sort();
  return (
    <>
      <div>
        <FillButton value="copy">Copy Monday to Tuesday–Friday</FillButton>
      </div>
      <fieldset className="grid gap-3" id={name} onInput={onInput}>
        <legend className="mb-1 font-semibold">{label}</legend>
        <p className="text-ink-2 text-sm">{hint}</p>
        {error ? <FieldError id={name}>{error}</FieldError> : null}
        {presets ? (
          <div className="flex flex-wrap items-end gap-3">
            <Field name="country" label="Add the holidays of">
              <Select options={presets.countries} />
            </Field>
            <Field name="year" label="Year">
              <Select options={presets.years} />
            </Field>
            <FillButton value="days">Add these days</FillButton>
          </div>
        ) : null}
        {years.map((year) => (
          <div key={year} className="grid gap-2">
            <h3 className="text-sm">{year || "Each year"}</h3>
            <div className="grid @max-medium:grid-cols-[minmax(0,1fr)] grid-cols-2 gap-x-6 gap-y-2">
              {lines
                .filter((line) => (/^(\d{4})-/.exec(line)?.[1] ?? "") === year)
                .map((line) => (
                  <Tick key={line} type="checkbox" name={name} value={line} defaultChecked>
                    <span>{line.replace(/^\S+ /, "")}</span>
                    <span className="ml-auto whitespace-nowrap text-ink-2 text-sm tabular-nums">
                      {line.split(" ")[0]}
                    </span>
                  </Tick>
                ))}
            </div>
          </div>
        ))}
        <Field
          name={name}
          id="own-days"
          label="Days of your own"
          hint="One a line: 2026-11-27 Day after Thanksgiving, or each year 12-24 Christmas Eve."
          optional
        >
          <Textarea rows={2} />
        </Field>
      </fieldset>
    </>
  );
}

/** Dark enough for white text as they are. */
const SAFE_COLORS = [
  ["#0f5a66", "Petrol"],
  ["#2055ac", "Blue"],
  ["#186536", "Green"],
  ["#7a2048", "Plum"],
  ["#7a3a12", "Rust"],
  ["#3e4d51", "Slate"],
] as const;

function ColorField({ name, label, hint, value, error }: OwnControlProps) {
  const text = useRef<HTMLDivElement>(null);
  const [color, setColor] = useState(value || SAFE_COLORS[0][0]);
  const [hasScripts, setHasScripts] = useState(false);
  useEffect(() => setHasScripts(true), []);
  return (
    <div className="grid gap-3" ref={text}>
      <Field name={name} label={label} hint={hint} error={error} optional>
        <Input autoComplete="off" className="max-w-40 font-mono" defaultValue={value} />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        {hasScripts ? (
          <input
            type="color"
            className="h-9 w-12 rounded-1 border border-control"
            aria-label="Pick a color"
            value={color}
            onChange={({ target }) => {
              setColor(target.value);
              const field = text.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
              if (field) field.value = target.value;
            }}
          />
        ) : null}
        {SAFE_COLORS.map(([hex, title]) => (
          <button
            key={hex}
            type="submit"
            name="fill"
            value={hex}
            aria-label={title}
            title={title}
            aria-pressed={value === hex}
            className="size-9 cursor-pointer rounded-1 border border-control p-0 aria-pressed:outline-2 aria-pressed:outline-ink aria-pressed:outline-offset-2"
          >
            <svg className="size-full" viewBox="0 0 1 1" aria-hidden="true">
              <rect width="1" height="1" fill={hex} />
            </svg>
          </button>
        ))}
        <FillButton value="preview">Preview</FillButton>
      </div>
    </div>
  );
}

type ChoicesProps = { field: Extract<SettingField, { choices: unknown }>; value: string; error?: string };

function Choices({ field: { name, label, choices }, value, error: given }: ChoicesProps) {
  const { error, onInput } = useFieldError(given);
  return (
    <fieldset className="grid gap-3" id={name} onInput={onInput}>
      <legend className="mb-2 font-semibold">{label}</legend>
      {error ? <FieldError id={name}>{error}</FieldError> : null}
      {choices.map((choice) => (
        <Tick key={choice.value} type="radio" name={name} value={choice.value} defaultChecked={choice.value === value}>
          <span>
            {choice.label}
            {choice.text ? <small className="block text-ink-2 text-sm">{choice.text}</small> : null}
          </span>
        </Tick>
      ))}
    </fieldset>
  );
}

function Control({ field, value }: { field: SettingField; value: string }) {
  if (field.kind === "select") return <Select options={field.choices} defaultValue={value} />;
  if (field.kind === "area") return <Textarea defaultValue={value} />;
  if (field.kind === "email") return <EmailInput autoComplete="off" defaultValue={value} />;
  if (field.kind === "number") return <Input inputMode="numeric" autoComplete="off" defaultValue={value} />;
  if (field.kind === "amount") return <Input inputMode="decimal" autoComplete="off" defaultValue={value} />;
  return <Input autoComplete="off" defaultValue={value} />;
}

type SettingsFormProps = {
  group: GroupView;
  zone: string;
  token: string;
};

export function SettingsForm({ group, zone, token }: SettingsFormProps) {
  const { id, path, label, text, fields, presets, link, lastChange } = group;
  const failed = useFormResult<SettingsError>(formKey(path, id));
  const errors = failed?.errors ?? {};
  const identity = failed?.identity ?? null;
  const preview = failed?.question?.preview ?? failed?.preview ?? group.preview;
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
        key={`${id} ${values.version} ${failed?.filled ?? ""}`}
        staysFilled
      >
        {/* Enter saves: it presses the first button of a form, and some fill fields. */}
        <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true" />
        {Object.keys(errors).length > 0 ? <ErrorSummary title={failed?.title ?? ""} errors={errors} /> : null}
        {failed?.stored ? <StoredMeanwhile stored={failed.stored} /> : null}
        <input type="hidden" name="intent" value={id} />
        <input type="hidden" name="version" value={values.version} />
        {fields.map((field) => (
          <Fragment key={field.name}>
            {field.heading ? <h3 className="mt-3 border-line border-t pt-5 text-md">{field.heading}</h3> : null}
            <SettingControl
              field={field}
              value={values[field.name] ?? ""}
              error={errors[field.name]}
              presets={presets}
            />
          </Fragment>
        ))}
        {failed?.question ? <Decision title={failed.title} {...failed.question} /> : null}
        {failed?.identity ? (
          <Question title={failed.title}>
            <IdentityQuestion identity={identity} errors={errors} />
          </Question>
        ) : null}
        {preview ? <img className="h-auto max-w-full border border-line" {...preview} alt={preview.alt} /> : null}
        <div className="flex flex-wrap items-center gap-2">
          <SaveButton>Save</SaveButton>
          <OtherMethodButton identity={identity} name="other_method" />
        </div>
      </Form>
      {link ? (
        <p className="mt-4">
          <Link to={link.to}>{link.label}</Link>
        </p>
      ) : null}
      <LastChange lastChange={lastChange} zone={zone} />
    </Panel>
  );
}

export function LastChange({ lastChange, zone }: Pick<GroupView, "lastChange"> & { zone: string }) {
  if (!lastChange) return null;
  return (
    <p className="mt-4 text-ink-2 text-sm">
      Last changed by {lastChange.by ?? "a person who has left"}, <Time at={lastChange.at} zone={zone} mode="short" />.
    </p>
  );
}

/** Asks something before the form is saved. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <div className="border-brand border-l-4 pl-4" role="alert" tabIndex={-1} ref={question} {...focusOnLoad}>
      <fieldset className="grid gap-3">
        <legend className="sr-only">{title}</legend>
        {children}
      </fieldset>
    </div>
  );
}

function Decision({ title, text, choices }: SettingQuestion & { title: string }) {
  return (
    <Question title={title}>
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
    </Question>
  );
}

/** Shows what somebody else has saved, where it differs from what was typed. */
export function StoredMeanwhile({ stored }: { stored: NonNullable<SettingsError["stored"]> }) {
  if (stored.length === 0) return null;
  return (
    <div>
      <p className="mb-2 font-semibold">Saved now, where it differs from yours:</p>
      <FactList facts={stored.map(({ label, value }) => ({ term: label, detail: value }))} terms="long" />
    </div>
  );
}

type AccountTabProps = NonNullable<Awaited<ReturnType<typeof readSettingsPage>>["own"]> & { path: string };

type Failed = ValidationError & { form?: "details" | "password"; needsProof?: boolean };

export function AccountTab({ path, token, fullName, email, phone, pendingEmail, mfaEnabled }: AccountTabProps) {
  const failed = usePostedResult<Failed>();
  const errorOf = (form: Failed["form"]) => (failed?.form === form ? failed : null) ?? null;
  return (
    <>
      <Panel id="details" title="Your details">
        <DetailsForm
          isStaff
          action={path}
          {...{ token, fullName, email, phone, pendingEmail, mfaEnabled }}
          validationError={errorOf("details")}
        />
      </Panel>
      <Panel id="password" title="Password">
        <p className="mb-5 text-ink-2">Changing it signs you out everywhere else.</p>
        <PasswordForm action={path} token={token} email={email} validationError={errorOf("password")} />
      </Panel>
    </>
  );
}

type DataTabProps = { submissionsFile: string; privacy: string; moveIn: string };

export function DataTab({ submissionsFile, privacy, moveIn }: DataTabProps) {
  return (
    <>
      <Panel id="import" title="Import">
        <p className="mb-4 max-w-160 text-ink-2">
          Organizations, people and tickets from another product, with a dry run first and an undo for 24 hours.
        </p>
        <LinkButton variant="quiet" to={moveIn}>
          Open import
        </LinkButton>
      </Panel>
      <Panel id="submissions-file" title="All submissions">
        <p className="mb-4 max-w-160 text-ink-2">
          Every submission in one CSV file, resolved ones too; those held for review have a file of their own in the
          list. We ask for your password and a code first, unless you have just confirmed them.
        </p>
        <LinkButton variant="quiet" to={submissionsFile}>
          Export CSV
        </LinkButton>
      </Panel>
      <Panel id="privacy" title="Privacy">
        <p className="mb-4 max-w-160 text-ink-2">
          What retention has deleted, what is on legal hold, who agreed to what, and what is stored about a person, with
          or without an account.
        </p>
        <LinkButton variant="quiet" to={privacy}>
          Open privacy
        </LinkButton>
      </Panel>
    </>
  );
}

/** Leads to what cannot be undone. Each of these pages shows first what goes, and asks who you are. */
export function DangerZone({ links }: { links: readonly { label: string; to: string }[] }) {
  return (
    <Panel id="danger" title="Danger zone">
      <p className="mb-4 max-w-160 text-ink-2">
        What is deleted or erased is gone. Each page shows first what goes, and asks for your password and a code.
      </p>
      <ButtonRow>
        {links.map(({ label, to }) => (
          <LinkButton key={to} variant="quiet" to={to}>
            {label}
          </LinkButton>
        ))}
      </ButtonRow>
    </Panel>
  );
}

export function FullExport({ to }: { to: string }) {
  return (
    <Panel id="full-export" title="Full export">
      <p className="mb-4 max-w-160 text-ink-2">
        Everything that you own in one ZIP file, to keep or to take elsewhere. It asks for your password and a code.
      </p>
      <LinkButton variant="quiet" to={to}>
        Download all
      </LinkButton>
    </Panel>
  );
}

type Tab = { to: string; label: string; current: boolean };

export function SettingsTabs({ tabs, parts }: { tabs: readonly Tab[]; parts: readonly Tab[] }) {
  return (
    <>
      <LinkTabs scroll label="Settings" items={tabs} />
      {parts.length > 1 ? <LinkTabs scroll label="Parts" items={parts} /> : null}
    </>
  );
}

type GeneralProps = { parts: readonly (Tab & { under: string | null })[]; children: ReactNode };

/** The list stands beside what it leads to; on a phone above it, closed. */
export function General({ parts, children }: GeneralProps) {
  const current = parts.find((one) => one.current);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <details className="filter-fold" key={current?.to}>
        <summary className={buttonStyle({ variant: "quiet", wide: true })}>Settings: {current?.label}</summary>
        <nav aria-label="General" className="grid gap-4 md:max-lg:grid-cols-4">
          {[...new Set(parts.map(({ under }) => under))].map((under) => (
            <div key={under}>
              <h2 className="mb-1 font-semibold text-ink-2 text-sm">{under}</h2>
              {parts
                .filter((one) => one.under === under)
                .map(({ to, label, current: isCurrent }) => (
                  <Link
                    key={to}
                    className="block rounded-2 current:bg-sheet px-2 py-1.5 current:font-semibold text-ink no-underline hover:bg-sheet"
                    to={to}
                    aria-current={isCurrent ? "page" : undefined}
                  >
                    {label}
                  </Link>
                ))}
            </div>
          ))}
        </nav>
      </details>
      <div className="grid min-w-0 gap-6">{children}</div>
    </div>
  );
}
