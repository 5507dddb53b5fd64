import type { Service } from "~/content/services";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";

const STOP_DOING = "What you stop doing";

const ROW = "grid grid-cols-[4fr_5fr_3fr] gap-x-[clamp(1.5rem,3vw,3rem)] max-md:grid-cols-1 max-lg:grid-cols-[2fr_3fr]";

type ServiceListProps = { services: readonly Service[] };

/** Lists services as a ruled index of two columns, no icons. */
export function ServiceIndex({ services }: ServiceListProps) {
  return (
    <ul className="grid grid-cols-2 gap-x-[clamp(2rem,4vw,4rem)] *:border-line-strong *:border-t *:pt-[1.35rem] *:pb-7 max-md:grid-cols-1 md:*:nth-[-n+2]:border-t-0 md:*:nth-[-n+2]:pt-0">
      {services.map(({ id, title, summary }) => (
        <li key={id}>
          <h3 className="text-xl/[1.15]">
            <ServiceLink id={id} title={title} />
          </h3>
          <p className="mt-2 max-w-[46ch] text-ink-2">{summary}</p>
        </li>
      ))}
    </ul>
  );
}

/** Shows the services at full width, one a row, with what the client need not do any more. */
export function ServiceRows({ services }: ServiceListProps) {
  return (
    <div className="mb-section">
      {/* From the width on at which the rows have a third column it has one heading. */}
      <p className={cx(ROW, "mb-3 max-w-none font-semibold max-lg:hidden")} aria-hidden="true">
        <span className="col-start-3">{STOP_DOING}</span>
      </p>
      <ul className="border-ink border-t-2">
        {services.map(({ id, title, summary, stopDoing }) => (
          <li key={id} className={cx(ROW, "gap-y-2 border-line-strong border-b pt-7 pb-8")}>
            <h2 className="text-xl/[1.15]">
              <ServiceLink id={id} title={title} />
            </h2>
            <p className="text-ink-2">{summary}</p>
            <StopDoing className="md:max-lg:col-start-2 lg:*:sr-only" text={stopDoing} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Says what the client need not do any more. */
export function StopDoing({ text, className }: { text: string; className?: string }) {
  return (
    <p className={cx("text-ink-2", className)}>
      <b className="block text-ink">{STOP_DOING}</b> {text}
    </p>
  );
}

/** Shows a title as a link. */
function ServiceLink({ id, title }: Pick<Service, "id" | "title">) {
  return <Link to={`/services/${id}`}>{title}</Link>;
}
