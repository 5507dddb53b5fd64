import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AccountBody, AccountPage, accountMeta } from "~/features/account/account-page";
import { BackupCodesCard, ConfirmChange } from "~/features/account/change-mfa";
import { MfaPanel } from "~/features/account/mfa";
import { loadMfaPage, mfaActions } from "~/features/account/mfa.server";
import { TotpSetup } from "~/features/account/totp-setup";
import { requireAccount } from "~/features/auth/guards.server";
import { FACTOR_NOT_FOUND } from "~/features/auth/labels";
import type { ValidationError } from "~/lib/form";
import { runFormAction } from "~/platform/form-actions.server";
import { Docket, DocketBody } from "~/ui/docket";
import { ValidationNotice } from "~/ui/form";
import { Notice } from "~/ui/page";

export { retryHeaders as headers } from "~/ui/form";

const TITLE = "Two-step sign-in";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return json(await loadMfaPage(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireAccount(context);
  return runFormAction(context, mfaActions, { actor: signedIn, request, params: null });
}

export default function MfaPage() {
  const page = useLoaderData<typeof loader>();
  const validationError = useActionData<typeof action>() ?? null;
  return (
    <AccountPage title={TITLE} isBelow>
      <AccountBody>
        <Part page={page} validationError={validationError} />
      </AccountBody>
    </AccountPage>
  );
}

type PartProps = { page: ReturnType<typeof useLoaderData<typeof loader>>; validationError: ValidationError | null };

function Part({ page, validationError }: PartProps) {
  const { token, email, method } = page;
  if (page.isCodesStep)
    return <BackupCodesCard codes={page.codes} token={token} redirectTo={page.redirectTo} isRenewal={page.isRenewal} />;
  if (page.enrollment) {
    return (
      <Docket id="setup" title="Set up your authenticator" subtitle="Step 1 of 2: add your account to an app">
        <DocketBody>
          <ValidationNotice validationError={validationError} />
          <TotpSetup
            action="/profile/mfa?step=setup"
            token={token}
            email={email}
            enrollment={page.enrollment}
            showsKey={page.showsKey}
            qrTo="/profile/mfa?step=setup"
            keyTo="/profile/mfa?step=setup&view=key"
            errors={validationError?.errors ?? {}}
          />
        </DocketBody>
      </Docket>
    );
  }
  if (page.change) {
    const { change, isEnabled: mfaEnabled } = page;
    return <ConfirmChange {...{ change, token, email, mfaEnabled, method, validationError }} />;
  }
  return (
    <>
      <ValidationNotice validationError={validationError} />
      {page.isNotFound && !validationError ? (
        <Notice kind="info" title={FACTOR_NOT_FOUND} message="Enable two-step sign-in first." />
      ) : null}
      <MfaPanel {...page} />
    </>
  );
}
