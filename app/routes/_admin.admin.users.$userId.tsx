import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import {
  AccessForm,
  HeldMail,
  InvitationPanel,
  PersonHead,
  PersonHistory,
  PersonMemberships,
  PersonSessions,
  PersonSidebar,
} from "~/features/user-management/person-page";
import { personActions, readPerson } from "~/features/user-management/person-page.server";
import { runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { RecordLayout } from "~/ui/page";

export {
  clientAction,
  clientLoader,
  ErrorBoundary,
  headers,
  shouldRevalidate,
} from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, page.data?.account.name ?? "User");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "user.view");
  const person = orNotFound(await readPerson(context, actor, idParam("usr", params.userId)));
  return json({ ...person, hasErrors: context.form.isRejected });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "user.view");
  const userId = idParam("usr", params.userId);
  return runFormAction(context, personActions, { actor, request, params: { userId } });
}

export default function UserPage() {
  const { account, isOwn, allowed, form, role, from, identity, token, zone, ...rest } = useLoaderData<typeof loader>();
  return (
    <>
      <PersonHead account={account} isOwn={isOwn} />
      <RecordLayout
        sidebar={<PersonSidebar account={account} allowed={allowed} isOwn={isOwn} token={token} zone={zone} />}
      >
        {form ? (
          <AccessForm
            key={form}
            account={account}
            action={form}
            token={token}
            identity={identity}
            isOffered={rest.isOffered}
            role={role}
            from={from}
            sessionId={rest.sessionId}
            session={rest.session}
          />
        ) : null}
        {rest.held ? <HeldMail userId={account.id} held={rest.held} token={token} /> : null}
        {rest.invitation ? (
          <InvitationPanel userId={account.id} invitation={rest.invitation} token={token} zone={zone} />
        ) : null}
        <PersonSessions
          userId={account.id}
          sessions={rest.sessions}
          zone={zone}
          canEnd={allowed.includes("end_sessions")}
        />
        <PersonMemberships memberships={rest.memberships} allTo={rest.allMemberships} zone={zone} />
        <PersonHistory userId={account.id} history={rest.history} zone={zone} />
      </RecordLayout>
    </>
  );
}
