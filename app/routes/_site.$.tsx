import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { mainLinks } from "~/content/navigation";
import { missingPageMeta } from "~/features/site/seo";
import { ErrorPage } from "~/ui/error-page";

export const meta: MetaFunction = ({ matches }) => missingPageMeta(matches, "Page Not Found");

/** Every address that nothing else answers to. */
export function loader(_: LoaderFunctionArgs) {
  return json(null, { status: 404 });
}

export default function NotFoundPage() {
  const links = mainLinks.map((link) =>
    link.path === "/" ? { to: "/", label: "Return to Home" } : { to: link.path, label: link.label },
  );
  return <ErrorPage title="Page Not Found" text="There's nothing at this address. It may have moved." links={links} />;
}
