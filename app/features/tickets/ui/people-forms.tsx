import type { ReactNode } from "react";
import type { ValidationError } from "~/lib/form";
import { Field, Form, Input, Select, SubmitButton } from "~/ui/form";

type ColleagueFieldsProps = {
  name: string;
  label: string;
  colleagues: readonly { id: string; name: string }[];
  isMore: boolean;
  error: ValidationError | null;
};

/** Asks for a colleague: by name, or by address where there are more than a page can offer. Works without scripts. */
export function ColleagueFields({ name, label, colleagues, isMore, error }: ColleagueFieldsProps) {
  const options = colleagues.map((colleague) => ({ value: colleague.id, label: colleague.name }));
  return (
    <>
      <Field name={name} label={label}>
        <Select options={isMore ? [{ value: "", label: "Choose a person" }, ...options] : options} />
      </Field>
      {isMore ? (
        <Field name="email" label="Or their email address" error={error?.errors.email}>
          <Input type="email" autoComplete="off" defaultValue={error?.values.email} />
        </Field>
      ) : null}
    </>
  );
}

type MuteFormProps = {
  isMuted: boolean;
  path: string;
  token: string;
  children?: ReactNode;
};

export function MuteForm({ isMuted, path, token, children }: MuteFormProps) {
  return (
    <Form action={path} token={token} name="mute" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {children}
      <input type="hidden" name="muted" value={isMuted ? "no" : "yes"} />
      <SubmitButton variant="quiet" size="xs" intent="mute">
        {isMuted ? "Unmute" : "Mute"}
      </SubmitButton>
      <span className="text-ink-2 text-xs">
        {isMuted ? "You hear nothing of this ticket." : "No mails and notifications about this ticket."}
      </span>
    </Form>
  );
}
