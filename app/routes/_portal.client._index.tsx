import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireClient } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/root-brand";
import { useBrand } from "~/features/settings/ui/use-brand";
import { mailtoHref } from "~/lib/contact-links";
import { keepingLoader } from "~/live/page-refresh";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [
  { title: `Dashboard | ${rootBrand(matches).name} Portal` },
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { membership } = await requireClient(context);
  return json({ organization: membership?.organizationName ?? null });
}

export default function PortalPage() {
  const { organization } = useLoaderData<typeof loader>();
  const { phone, supportEmail } = useBrand();
  return (
    <Page title={organization ? `Welcome back to ${organization}` : "No organization selected"}>
      <p>
        {organization
          ? "You are signed in. To reach us, call or write; we answer within 1 business day."
          : "Your account is open, but it does not belong to an organization yet. Ask us to add you."}
      </p>
      <p>
        {phone ? <a href={phone.href}>{phone.display}</a> : null}
        {phone ? " · " : null}
        <a href={mailtoHref(supportEmail)}>{supportEmail}</a>
      </p>
    </Page>
  );
}
