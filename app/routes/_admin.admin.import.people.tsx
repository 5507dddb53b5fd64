import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { InviteFrom, InvitePeople } from "~/features/import/invite-people";
import { peopleActions, readPeople } from "~/features/import/invite-people.server";
import { IMPORT_FAILED, IMPORT_TITLE, INVITE_PEOPLE } from "~/features/import/labels";
import { IMPORT_PATH, INVITE_PEOPLE_PATH } from "~/features/import/paths";
import { adminTitle } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { readOrFail } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, INVITE_PEOPLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "import.run");
  const read = await readOrFail(context, IMPORT_FAILED, readPeople(context, actor));
  return json({ ...read, hasErrors: context.form.isRejected });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "import.run");
  return runFormAction(context, peopleActions, { actor, request, params: null });
}

export default function InvitePeoplePage() {
  const { organizations, people, ...view } = useLoaderData<typeof loader>();
  const name = people?.organization.name;
  return (
    <Page
      title={name ? `Invite people of ${name}` : INVITE_PEOPLE}
      breadcrumb={
        <Breadcrumb
          dense
          items={[
            { label: "Settings", to: SETTINGS_PATH },
            { label: IMPORT_TITLE, to: IMPORT_PATH },
            ...(name
              ? [{ label: INVITE_PEOPLE, to: INVITE_PEOPLE_PATH }, { label: name }]
              : [{ label: INVITE_PEOPLE }]),
          ]}
        />
      }
    >
      {people ? <InvitePeople people={people} {...view} /> : <InviteFrom organizations={organizations} {...view} />}
    </Page>
  );
}
