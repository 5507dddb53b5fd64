import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { assessmentInvitation } from "~/content/home";
import { services, shortServicePaths } from "~/content/services";
import { type SiteBrand, siteBrand, useSiteBrand } from "~/features/settings/brand";
import { breadcrumbSchema, missingPageMeta, originOf, pageMeta, serviceSchema } from "~/features/site/seo";
import { ServiceDetails, ServiceNotFound } from "~/features/site/services";
import { InvitationBand } from "~/features/site/site-page";

const serviceOf = (id: string | undefined, { content }: SiteBrand) =>
  content.services.find((service) => service.id === id) ?? null;

export const meta: MetaFunction<typeof loader> = ({ matches, params }) => {
  const service = serviceOf(params.serviceId, siteBrand(matches));
  if (!service) return missingPageMeta(matches, "Service Not Found");
  const path = `/services/${service.id}`;
  const origin = originOf(matches);
  return pageMeta(matches, {
    title: service.title,
    description: service.summary,
    path,
    structured: [
      serviceSchema(origin, service, siteBrand(matches)),
      breadcrumbSchema(origin, [
        { name: "Home", path: "/" },
        { name: "Services", path: "/services" },
        { name: service.title, path },
      ]),
    ],
  });
};

export function loader({ params }: LoaderFunctionArgs) {
  const id = params.serviceId ?? "";
  const isKnown = services.some((service) => service.id === id);
  const meant = Object.hasOwn(shortServicePaths, id) ? shortServicePaths[id] : null;
  return json({ id, meant: meant ?? null }, { status: isKnown ? 200 : 404 });
}

export default function ServicePage() {
  const { id, meant } = useLoaderData<typeof loader>();
  const service = serviceOf(id, useSiteBrand());
  if (!service) return <ServiceNotFound meant={meant} />;
  return (
    <>
      <ServiceDetails service={service} />
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
