import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/brand";
import { LogoForms } from "~/features/settings-management/logo-page";
import { logoActions, readLogoPage } from "~/features/settings-management/logo-page.server";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { Link } from "~/ui/link";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/error-page";
export { clientAction, revalidateWhenSaved as shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data?.hasErrors ? "Error: " : ""}Logo | ${rootBrand(matches).name} Admin` },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return json(await readLogoPage(context, actor));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return runFormAction(context, logoActions, { actor, request, params: null });
}

export default function LogoPage() {
  const { backTo, logo, version, tokens } = useLoaderData<typeof loader>();
  return (
    <Page title="Logo">
      <p>
        <Link to={backTo}>Back to the settings</Link>
      </p>
      <LogoForms logo={logo} version={version} tokens={tokens} />
    </Page>
  );
}
