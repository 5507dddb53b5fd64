import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { requireUser } from "~/features/auth/guards.server";
import { findCurrentOrganization } from "~/features/organizations/queries.server";
import { SitePage } from "~/features/site/ui/site-page";
import { LinkButton } from "~/ui/button";

export const meta: MetaFunction = () => [
  { title: `Dashboard | ${brand.name} Portal` },
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  const organization = await findCurrentOrganization(context.db, signedIn);
  return json({ organization: organization?.name ?? null });
}

export default function PortalPage() {
  const { organization } = useLoaderData<typeof loader>();
  const { display, href } = brand.phone;
  return (
    <SitePage title={organization ? `Welcome back to ${organization}` : "No organization selected"}>
      <div className="account-body">
        <p>
          {organization
            ? "You are signed in. To reach us, call or write; we answer within 1 business day."
            : "Your account is open, but it does not belong to an organization yet. Ask us to add you."}
        </p>
        <p>
          <a href={href}>{display}</a> · <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
        </p>
        <div className="acts-row">
          <LinkButton variant="quiet" to="/profile">
            Profile Settings
          </LinkButton>
        </div>
      </div>
    </SitePage>
  );
}
