import type { ReactNode } from "react";
import { HiddenUsername, NewPasswordFields } from "~/features/account/identity-fields";
import { useBrand, useSiteBrand } from "~/features/settings/brand";
import { LinkMark } from "~/features/sign-in/link-card";
import { authScript } from "~/generated/static-scripts";
import { CLIENT_SIGN_IN_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import { ERROR_TEXTS } from "~/lib/error-texts";
import type { ValidationError } from "~/lib/form";
import { LinkButton } from "~/ui/button";
import { Docket, DocketBody } from "~/ui/docket";
import { FactList } from "~/ui/fact-list";
import { Field, Form, Input, SubmitButton, ValidationNotice } from "~/ui/form";
import { FormScript } from "~/ui/form-script-tag";
import { Link } from "~/ui/link";
import { EmailText, Time } from "~/ui/text";
import type { InviteStep } from "./invite-page";
import type { InvitePage, ShownInvitation } from "./invite-page.server";
import { ENDINGS } from "./labels";
import { INVITATION_PATH } from "./model";

type EndedInvitationProps = Omit<InvitePage, "step"> & { step: Exclude<InviteStep, OpenStep> };

function EndedInvitation({ step, invitation, reader, token, blocked }: EndedInvitationProps) {
  const { name } = useBrand();
  const { title, text } = ENDINGS[step];
  const names = {
    inviter: invitation?.inviter ?? "the person who invited you",
    email: invitation?.email ?? "your address",
    place: invitation?.organization ?? name,
  };
  return (
    <Docket alone id="invitation" title={blocked ? ERROR_TEXTS[429].title : title} heading="h1">
      <DocketBody alone>
        <p className="wrap-anywhere">{blocked ?? text(names)}</p>
        {step === "other_account" ? (
          <>
            <p className="wrap-anywhere">
              You are signed in as <strong>{reader}</strong>.
            </p>
            <AnswerForm intent="sign_out" token={token} button="Sign Out" />
          </>
        ) : (
          <NextStep step={step} />
        )}
      </DocketBody>
    </Docket>
  );
}

function NextStep({ step }: Pick<EndedInvitationProps, "step">) {
  if (step === "declined") return null;
  const signUp = withRedirectTo(withParams(CLIENT_SIGN_IN_PATH, { tab: "create" }), INVITATION_PATH);
  return (
    <p>
      {step === "unproved" ? <Link to={signUp}>Create Account</Link> : <Link to={CLIENT_SIGN_IN_PATH}>Sign In</Link>}
    </p>
  );
}

const NEW_PASSWORD_PATH = withParams(INVITATION_PATH, { password: "new" });
const DECLINE_PATH = withParams(INVITATION_PATH, { answer: "no" });

type OpenStep = Extract<InviteStep, "set_up" | "accept" | "sign_in" | "decline">;

type InviteCardProps = {
  step: OpenStep;
  invitation: ShownInvitation;
  token: string;
  validationError: ValidationError | null;
};

function InviteCard({ step, invitation, token, validationError }: InviteCardProps) {
  const { name, timeZone } = useSiteBrand();
  const { inviter, organization, role, email, expiresAt } = invitation;
  const title = step === "decline" ? "Remove this invitation?" : "You're invited";
  return (
    <Docket alone id="invitation" title={title} heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        <FactList
          terms="medium"
          facts={[
            organization ? { term: "Organization", detail: organization } : { term: "Account at", detail: name },
            { term: "Invited by", detail: inviter },
            { term: "Role", detail: role },
            { term: "For", detail: <EmailText email={email} /> },
            { term: "Works until", detail: <Time at={expiresAt} zone={timeZone} mode="date" /> },
          ]}
        />
        <Answer step={step} invitation={invitation} token={token} validationError={validationError} />
        {step === "decline" ? (
          <p>
            <Link to={INVITATION_PATH}>Back to the invitation</Link>
          </p>
        ) : (
          <p>
            <Link to={DECLINE_PATH}>Not me, remove this invitation</Link>
          </p>
        )}
      </DocketBody>
    </Docket>
  );
}

function Answer({ step, invitation, token, validationError }: InviteCardProps) {
  switch (step) {
    case "set_up":
      if (invitation.hasPassword) {
        return (
          <>
            <AnswerForm intent="set_up_typed" token={token} mark={invitation.mark} button="Accept invitation">
              <p className="wrap-anywhere">
                You accept it as <strong>{invitation.fullName}</strong>, with the password you have chosen.
              </p>
            </AnswerForm>
            <p>
              <Link to={NEW_PASSWORD_PATH}>Change the name or the password first</Link>
            </p>
          </>
        );
      }
      return <NewAccountForm invitation={invitation} token={token} validationError={validationError} />;
    case "accept":
      return <AnswerForm intent="accept" token={token} mark={invitation.mark} button="Accept invitation" />;
    case "decline":
      return (
        <AnswerForm intent="decline" token={token} mark={invitation.mark} button="Not me">
          <p>The link stops working, and the invitation is deleted.</p>
        </AnswerForm>
      );
    case "sign_in":
      return (
        <>
          <p>There is an account with this address. Sign in with it to accept.</p>
          <LinkButton to={withRedirectTo(CLIENT_SIGN_IN_PATH, INVITATION_PATH)} wide>
            Sign In
          </LinkButton>
        </>
      );
  }
}

type AnswerFormProps = { intent: string; token: string; mark?: string | null; button: string; children?: ReactNode };

function AnswerForm({ intent, token, mark = null, button, children }: AnswerFormProps) {
  return (
    <Form action={INVITATION_PATH} token={token} reloadDocument intent={intent}>
      <LinkMark mark={mark} />
      {children}
      <SubmitButton wide>{button}</SubmitButton>
    </Form>
  );
}

function NewAccountForm({ invitation, token, validationError }: Omit<InviteCardProps, "step">) {
  const errors = validationError?.errors ?? {};
  return (
    <>
      <p>Choose a name and a password.</p>
      <Form
        action={NEW_PASSWORD_PATH}
        token={token}
        reloadDocument
        data-needs="full_name password confirm_password"
        intent="set_up"
      >
        <LinkMark mark={invitation.mark} />
        <HiddenUsername email={invitation.email} />
        <Field name="full_name" label="Full Name" error={errors.full_name}>
          <Input
            autoComplete="name"
            autoCapitalize="words"
            spellCheck={false}
            defaultValue={validationError?.values.full_name ?? invitation.fullName}
          />
        </Field>
        <NewPasswordFields name="password" label="Password" confirmLabel="Confirm Password" errors={errors} />
        <SubmitButton wide>Accept invitation</SubmitButton>
      </Form>
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}

export function InviteScreen({ validationError, ...page }: InvitePage & { validationError: ValidationError | null }) {
  const { step, invitation } = page;
  switch (step) {
    case "set_up":
    case "accept":
    case "sign_in":
    case "decline":
      return invitation ? (
        <InviteCard step={step} invitation={invitation} token={page.token} validationError={validationError} />
      ) : null;
    default:
      return <EndedInvitation {...page} step={step} />;
  }
}
