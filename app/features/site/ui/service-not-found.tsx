import { homeSections } from "~/content/home";
import { type ServiceId, services } from "~/content/services";
import { Link } from "~/ui/link";
import { SectionRow } from "./section-row";
import { ServiceIndex } from "./service-index";
import { SitePage } from "./site-page";

/** Says that a service is unknown. For a short address that people try, it names the service that was meant. */
export function ServiceNotFound({ meant }: { meant: { id: ServiceId; name: string } | null }) {
  return (
    <SitePage
      title="Service Not Found"
      lead={
        <>
          Sorry, we couldn't find the service you're looking for.
          {meant ? (
            <Link className="block" to={`/services/${meant.id}`}>
              Did you mean {meant.name}?
            </Link>
          ) : null}
        </>
      }
    >
      <SectionRow id="services" title={homeSections.services.title} text={<Link to="/services">All services</Link>}>
        <ServiceIndex services={services} />
      </SectionRow>
    </SitePage>
  );
}
