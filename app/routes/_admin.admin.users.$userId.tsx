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

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

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
  const person = useLoaderData<typeof loader>();
  const { account, allowed, form, token, zone } = person;
  return (
    <>
      <PersonHead {...person} />
      <RecordLayout sidebar={<PersonSidebar {...person} />}>
        {form ? <AccessForm key={form} {...person} action={form} /> : null}
        {person.held ? <HeldMail userId={account.id} held={person.held} token={token} /> : null}
        {person.invitation ? (
          <InvitationPanel userId={account.id} invitation={person.invitation} token={token} zone={zone} />
        ) : null}
        <PersonSessions userId={account.id} {...person} canEnd={allowed.includes("end_sessions")} />
        <PersonMemberships {...person} allTo={person.allMemberships} />
        <PersonHistory userId={account.id} history={person.history} zone={zone} />
      </RecordLayout>
    </>
  );
}
