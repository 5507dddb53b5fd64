import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { personalDataActions } from "~/features/privacy/actions.server";
import { eraseError, PRIVACY_FAILED } from "~/features/privacy/labels";
import { ClosurePanel, ErasePanel, PersonPanel } from "~/features/privacy/person";
import { readPersonPage } from "~/features/privacy/read-privacy.server";
import { adminTitle } from "~/features/settings/brand";
import { readOrFail } from "~/features/workspace/load-list.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Notice, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, `${page.data?.person.name ?? "Person"} – Privacy`);

/** The ids of people without an account: a contact, a request, a copy of a ticket, also a proposed one, or a mail. */
const WITHOUT_ACCOUNT = ["con", "sub", "cpy", "ccp", "inm"];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const personId = idParam("usr", params.personId, ...WITHOUT_ACCOUNT);
  const read = orNotFound(await readOrFail(context, PRIVACY_FAILED, readPersonPage(context, actor, personId)));
  const tokens = formTokens(context, actor, personalDataActions);
  return json({ ...read, tokens, hasErrors: context.form.isRejected });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const personId = idParam("usr", params.personId, ...WITHOUT_ACCOUNT);
  return runFormAction(context, personalDataActions, { actor, request, params: { personId } });
}

export default function PrivacyPersonPage() {
  const { tokens, hasErrors: _, ...read } = useLoaderData<typeof loader>();
  const { person, closureRequestedAt, isHeld, isOwn, zone } = read;
  const obstacle = isOwn ? eraseError("own_account") : isHeld ? eraseError("on_hold") : null;
  return (
    <Page title={person.name}>
      <PersonPanel {...read} />
      {closureRequestedAt !== null ? (
        <ClosurePanel person={person} requestedAt={closureRequestedAt} zone={zone} token={tokens.decline ?? ""} />
      ) : null}
      {obstacle ? <Notice kind="info" message={obstacle} /> : <ErasePanel {...read} token={tokens.erase ?? ""} />}
    </Page>
  );
}
