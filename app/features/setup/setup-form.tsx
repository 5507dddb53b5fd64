import { NewAccountFields } from "~/features/sign-in/account-fields";
import type { ValidationError } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { Field, Form, Input, SubmitButton, ValidationNotice } from "~/ui/form";
import type { loadSetupPage } from "./setup.server";

type SetupFormProps = Awaited<ReturnType<typeof loadSetupPage>> & { validationError: ValidationError | null };

export function SetupForm({ token, command, code, isCodeIssued, validationError }: SetupFormProps) {
  const errors = validationError?.errors ?? {};
  const values = validationError?.values ?? {};
  return (
    <Docket alone id="first-admin" title="Set up this installation" heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        <p>You become the first administrator. After this you set up your authenticator app.</p>
        <Form action="/setup" token={token} reloadDocument>
          <Field
            name="setup_code"
            label="Setup code"
            hint={
              <>
                {isCodeIssued
                  ? "It was printed when the product was started or deployed. For a new one, run this in the project's folder:"
                  : "None has been issued yet. To get one, run this in the project's folder:"}{" "}
                <code>{command}</code>
              </>
            }
            error={errors.setup_code}
          >
            <Input autoComplete="off" autoCapitalize="off" spellCheck={false} defaultValue={code} />
          </Field>
          <NewAccountFields values={values} errors={errors} />
          <SubmitButton wide>Create administrator</SubmitButton>
        </Form>
      </DocketBody>
    </Docket>
  );
}
