import { DetailsForm, PasswordForm } from "~/features/account/ui/profile-forms";
import type { ValidationError } from "~/lib/form";
import { usePostedResult } from "~/ui/form-answer";
import { Panel } from "~/ui/panel";

type AccountTabProps = {
  /** Holds the address of the page, which takes the forms. */
  path: string;
  token: string;
  fullName: string;
  email: string;
  pendingEmail: string | null;
  mfaEnabled: boolean;
};

type Failed = ValidationError & { form?: "details" | "password"; needsProof?: boolean };

/** Shows one's own name, address and password. */
export function AccountTab({ path, token, fullName, email, pendingEmail, mfaEnabled }: AccountTabProps) {
  const failed = usePostedResult<Failed>();
  const errorOf = (form: Failed["form"]) => (failed?.form === form ? failed : null) ?? null;
  return (
    <>
      <Panel id="details" title="Your details">
        <DetailsForm
          action={path}
          {...{ token, fullName, email, pendingEmail, mfaEnabled }}
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
