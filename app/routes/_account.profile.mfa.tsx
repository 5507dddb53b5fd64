import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { answerMfaPage, loadMfaPage } from "~/features/account/mfa-page.server";
import { AccountBody } from "~/features/account/ui/account-body";
import { BackupCodesCard } from "~/features/account/ui/backup-codes-card";
import { ConfirmChange } from "~/features/account/ui/confirm-change";
import { MfaPanel } from "~/features/account/ui/mfa-panel";
import { requireAccount } from "~/features/auth/guards.server";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { TotpSetup } from "~/features/auth/ui/totp-setup";
import { ValidationNotice } from "~/features/auth/ui/validation-notice";
import { signInHeaders } from "~/features/sign-in/sign-in-page.server";
import { SitePage } from "~/features/site/ui/site-page";
import type { Refusal } from "~/platform/responses.server";
import { Breadcrumb } from "~/ui/breadcrumb";
import { Docket, DocketBody } from "~/ui/docket";

const TITLE = "Two-step sign-in";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.refused ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return loadMfaPage(context, signedIn);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireAccount(context);
  return answerMfaPage(context, signedIn, request);
}

export function headers(args: HeadersArgs) {
  return signInHeaders(args);
}

export default function MfaPage() {
  const page = useLoaderData<typeof loader>();
  const refusal = (useActionData() as Refusal | undefined) ?? null;
  const breadcrumb = <Breadcrumb items={[{ label: "Personal Settings", to: "/profile" }, { label: TITLE }]} />;
  return (
    <SitePage title={TITLE} breadcrumb={breadcrumb}>
      <AccountBody>
        <Part page={page} refusal={refusal} />
      </AccountBody>
    </SitePage>
  );
}

type PartProps = { page: ReturnType<typeof useLoaderData<typeof loader>>; refusal: Refusal | null };

/** The one thing the page is about at the moment. */
function Part({ page, refusal }: PartProps) {
  const { token, email, method } = page;
  if (page.isCodesStep) return <BackupCodesCard codes={page.codes} token={token} redirectTo={page.redirectTo} />;
  if (page.enrollment) {
    return (
      <Docket id="setup" title="Set up your authenticator" subtitle="Step 1 of 2: add your account to an app">
        <DocketBody>
          <ValidationNotice refusal={refusal} />
          <TotpSetup
            action="/profile/mfa?step=setup"
            token={token}
            email={email}
            enrollment={page.enrollment}
            showsKey={page.showsKey}
            qrTo="/profile/mfa?step=setup"
            keyTo="/profile/mfa?step=setup&view=key"
            errors={refusal?.errors ?? {}}
          />
        </DocketBody>
      </Docket>
    );
  }
  if (page.change) {
    const { change, isEnabled: mfaEnabled } = page;
    return <ConfirmChange {...{ change, token, email, mfaEnabled, method, refusal }} />;
  }
  return (
    <>
      <ValidationNotice refusal={refusal} />
      <MfaPanel {...page} />
    </>
  );
}
