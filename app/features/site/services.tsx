import { homeSections } from "~/content/home";
import type { Feature, ServiceId } from "~/content/services";
import { useSiteBrand } from "~/features/settings/brand";
import type { SiteService } from "~/features/settings/model";
import { formatPrice } from "~/lib/numbers";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Link } from "~/ui/link";
import { Breadcrumb } from "~/ui/page";
import { SectionRow } from "./section-row";
import { FeatureBlocks, LinkList, Price, SitePage, Situations, TickList } from "./site-page";

const STOP_DOING = "What you stop doing";

const ROW = "grid grid-cols-[4fr_5fr_3fr] gap-x-[clamp(1.5rem,3vw,3rem)] max-md:grid-cols-1 max-lg:grid-cols-[2fr_3fr]";

export function ServiceIndex() {
  const { services } = useSiteBrand().content;
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

export function ServiceRows() {
  const { services } = useSiteBrand().content;
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

function StopDoing({ text, className }: { text: string; className?: string }) {
  return (
    <p className={cx("text-ink-2", className)}>
      <b className="block text-ink">{STOP_DOING}</b> {text}
    </p>
  );
}

function ServiceLink({ id, title }: Pick<SiteService, "id" | "title">) {
  return <Link to={`/services/${id}`}>{title}</Link>;
}

export function ServiceDetails({ service }: { service: SiteService }) {
  const { title, overview, situations, features, benefits, stopDoing, also, note, cost } = service;
  const { prices, content } = useSiteBrand();
  const plan = content.plans.find(({ id }) => id === cost.plan);
  return (
    <SitePage
      title={title}
      lead={overview}
      breadcrumb={<Breadcrumb items={[{ label: "Services", to: "/services" }, { label: title }]} />}
    >
      <Situations situations={situations} />
      <SectionRow id="features" title="Key features">
        <FeatureBlocks features={features} />
      </SectionRow>
      <SectionRow id="benefits" title="Benefits">
        <div>
          <TickList items={benefits} />
          <StopDoing className="mt-5" text={stopDoing} />
        </div>
      </SectionRow>
      {also ? <TextRow id="also" {...also} /> : null}
      <SectionRow id="cost" title="What it costs">
        <div>
          {plan ? (
            <Price amount={formatPrice(prices.plans[plan.id])} unit={<>per user per month, with {plan.name}</>} />
          ) : null}
          <p className="mt-6">{cost.text}</p>
          <p className="mt-6">
            <LinkButton variant="quiet" to={`/pricing?plan=${cost.plan}#estimate`}>
              Estimate your monthly cost
            </LinkButton>
          </p>
        </div>
      </SectionRow>
      {note ? <TextRow id="note" {...note} /> : null}
      <SectionRow id="asked" title="Who uses this">
        <LinkList
          items={content.industries
            .filter(({ services }) => services.includes(service.id))
            .map(({ slug, title: industry, summary }) => ({
              to: `/industries/${slug}`,
              label: industry,
              text: summary,
            }))}
        />
      </SectionRow>
    </SitePage>
  );
}

function TextRow({ id, title, text }: Feature & { id: string }) {
  return (
    <SectionRow id={id} title={title}>
      <div>
        <p>{text}</p>
      </div>
    </SectionRow>
  );
}

/** For a short address that people try, it names the service that was meant. */
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
        <ServiceIndex />
      </SectionRow>
    </SitePage>
  );
}
