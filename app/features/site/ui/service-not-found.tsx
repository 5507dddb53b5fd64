import { type ServiceId, services } from "~/content/services";
import { ErrorPage } from "~/ui/error-page";
import { Link } from "~/ui/link";

const WAYS = [
  { label: "All services", to: "/services" },
  ...services.map(({ id, title }) => ({ label: title, to: `/services/${id}` })),
];

/** An unknown service. A short address that people try says which service it stands for. */
export function ServiceNotFound({ meant }: { meant: { id: ServiceId; name: string } | null }) {
  return (
    <ErrorPage
      title="Service Not Found"
      text={
        <>
          Sorry, we couldn't find the service you're looking for.
          {meant ? (
            <Link className="line" to={`/services/${meant.id}`}>
              Did you mean {meant.name}?
            </Link>
          ) : null}
        </>
      }
      links={WAYS}
    />
  );
}
