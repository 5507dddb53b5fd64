import { type MouseEvent, useEffect, useState } from "react";
import { IdentityQuestion, OtherMethodButton } from "~/features/account/identity-fields";
import { PASSWORD_RULES } from "~/features/auth/labels";
import type { IdentityRequest } from "~/features/auth/model";
import { USERS_PATH } from "~/features/users/model";
import { Button, ButtonRow, CancelLink } from "~/ui/button";
import { ErrorSummary, Field, Form, Input, Select, SubmitButton, useFilled } from "~/ui/form";
import { Box } from "~/ui/page";
import { ROLE_OPTIONS } from "./labels";
import type { NewUserAnswer } from "./model";
import { RoleDescriptions } from "./role-descriptions";

type InitialPasswordProps = {
  password: string | null;
  hint: string;
  error: string | undefined;
};

function InitialPassword({ password, hint, error }: InitialPasswordProps) {
  return (
    <div className="grid gap-2">
      <Field
        name="password"
        label="Password"
        hint={`${hint}. It works for 72 hours, and a new one is chosen at the first sign-in.`}
        error={error}
      >
        <Input
          key={password}
          className="font-mono"
          autoComplete="new-password"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={password ?? ""}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="quiet" size="sm" name="intent" value="generate">
          Generate
        </Button>
        <CopyButton field="password" />
      </div>
    </div>
  );
}

/** Copies what stands in a field. Without scripts it is not there, and the text can be selected. */
function CopyButton({ field }: { field: string }) {
  const [isReady, setReady] = useState(false);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => setReady(Boolean(navigator.clipboard)), []);
  if (!isReady) return null;
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const input = currentTarget.form?.elements.namedItem(field);
    if (!(input instanceof HTMLInputElement) || input.value === "") return;
    await navigator.clipboard.writeText(input.value);
    setCopied(true);
  };
  return (
    <>
      <Button variant="quiet" size="sm" onClick={copy}>
        Copy
      </Button>
      <span className="text-sm text-success" role="status">
        {isCopied ? "Copied to clipboard" : null}
      </span>
    </>
  );
}

type NewUserFormProps = {
  way: "invite" | "create";
  path: string;
  token: string;
  answer: NewUserAnswer | null;
  identity: IdentityRequest | null;
};

const BUTTONS = {
  invite: { label: "Send Invitation", pending: "Sending..." },
  create: { label: "Create User", pending: "Creating..." },
};

export function NewUserForm({ way, path, token, answer, ...rest }: NewUserFormProps) {
  const { error, values } = answer ?? { error: null, values: {} as NewUserAnswer["values"] };
  const identity = rest.identity && { ...rest.identity, ...(answer && { method: answer.method }) };
  const errors = error?.errors ?? {};
  const { label, pending } = BUTTONS[way];
  const { area, isFilled, check } = useFilled(["email", "full_name"]);
  return (
    <Box className="max-w-180">
      {error ? <ErrorSummary className="mb-4" title={error.title} errors={errors} /> : null}
      <Form action={path} token={token} name={way} onInput={check}>
        <div ref={area} className="grid gap-4">
          {/* Enter in a field presses the first button of a form. */}
          <button type="submit" name="intent" value={way} hidden />
          <Field name="full_name" label="Full Name" error={errors.full_name}>
            <Input autoComplete="off" autoCapitalize="words" spellCheck={false} defaultValue={values.full_name} />
          </Field>
          <Field name="email" label="Email" error={errors.email}>
            <Input
              type="email"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              defaultValue={values.email}
            />
          </Field>
          <Field name="role" label="Role" error={errors.role}>
            <Select options={ROLE_OPTIONS} defaultValue={values.role ?? "user"} />
          </Field>
          <RoleDescriptions />
          {way === "create" ? (
            <InitialPassword password={answer?.password ?? null} hint={PASSWORD_RULES} error={errors.password} />
          ) : null}
          <IdentityQuestion identity={identity} errors={errors} />
          <ButtonRow dense>
            <SubmitButton intent={way} pendingLabel={pending} disabled={!isFilled}>
              {label}
            </SubmitButton>
            <CancelLink to={USERS_PATH} />
            <OtherMethodButton identity={identity} />
          </ButtonRow>
        </div>
      </Form>
    </Box>
  );
}
