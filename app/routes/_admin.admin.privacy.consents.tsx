import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { PRIVACY_FAILED } from "~/features/privacy/labels";
import { ConsentList } from "~/features/privacy/privacy-page";
import { readConsents } from "~/features/privacy/read-privacy.server";
import { adminTitle } from "~/features/settings/brand";
import { readOrFail } from "~/features/workspace/load-list.server";
import { PRIVACY_PATH } from "~/lib/addresses";
import { Link } from "~/ui/link";
import { Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Consents");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "privacy.manage");
  return json(await readOrFail(context, PRIVACY_FAILED, readConsents(context)));
}

export default function ConsentsPage() {
  return (
    <Page title="Consents" actions={<Link to={PRIVACY_PATH}>Privacy</Link>}>
      <ConsentList {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
