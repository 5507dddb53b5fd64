import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import { requireStaff } from "~/features/auth/guards.server";
import { parsePlace } from "~/features/privacy/everything.server";
import { askedArchive } from "~/features/privacy/model";
import { EverythingPanel } from "~/features/privacy/privacy-page";
import { adminTitle } from "~/features/settings/brand";
import { keepingLoader } from "~/live/page-refresh";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/error-page";
export { revalidateWhenSaved as shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Download all");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const asked = askedArchive(context.request.url.searchParams);
  const more = asked.after && parsePlace(asked.after) ? asked : null;
  return json({ hasProof: hasRecentProof(context, actor), more });
}

export default function EverythingPage() {
  const { hasProof, more } = useLoaderData<typeof loader>();
  return (
    <Page title="Download all">
      <EverythingPanel hasProof={hasProof} more={more} />
    </Page>
  );
}
