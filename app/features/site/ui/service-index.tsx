import type { Service } from "~/content/services";
import { Link } from "~/ui/link";

type ServiceListProps = { services: readonly Service[] };

/** Services as a ruled index of two columns, no icons. */
export function ServiceIndex({ services }: ServiceListProps) {
  return (
    <ul className="index">
      {services.map(({ id, title, summary }) => (
        <li key={id}>
          <h3>
            <Link to={`/services/${id}`}>{title}</Link>
          </h3>
          <p>{summary}</p>
        </li>
      ))}
    </ul>
  );
}

/** The same at full width, one service a row, with what the client need not do any more. */
export function ServiceRows({ services }: ServiceListProps) {
  return (
    <ul className="service-rows">
      {services.map(({ id, title, summary, stopDoing }) => (
        <li key={id}>
          <h2>
            <Link to={`/services/${id}`}>{title}</Link>
          </h2>
          <p>{summary}</p>
          <p className="stop">
            <b>You stop doing:</b> {stopDoing}
          </p>
        </li>
      ))}
    </ul>
  );
}
