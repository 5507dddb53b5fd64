import { industries } from "~/content/industries";
import { plans } from "~/content/plans-and-prices";
import type { Feature, Service } from "~/content/services";
import { useSiteBrand } from "~/features/settings/ui/use-brand";
import { formatPrice } from "~/lib/money";
import { Breadcrumb } from "~/ui/breadcrumb";
import { LinkButton } from "~/ui/button";
import { FeatureBlocks, TickList } from "./feature-list";
import { LinkList } from "./link-list";
import { Price } from "./price";
import { SectionRow } from "./section-row";
import { StopDoing } from "./service-index";
import { SitePage } from "./site-page";

/** Shows one service: what it is, what is in it, what the client gets, what it costs, and who uses it. */
export function ServiceDetails({ service }: { service: Service }) {
  const { title, overview, features, benefits, stopDoing, also, note, cost } = service;
  const brand = useSiteBrand();
  const plan = plans.find(({ id }) => id === cost.plan);
  const toKnow = note?.(brand);
  return (
    <SitePage
      title={title}
      lead={overview}
      breadcrumb={<Breadcrumb items={[{ label: "Services", to: "/services" }, { label: title }]} />}
    >
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
            <Price amount={formatPrice(brand.prices.plans[plan.id])} unit={<>per user per month, with {plan.name}</>} />
          ) : null}
          <p className="mt-6">{cost.text}</p>
          <p className="mt-6">
            <LinkButton variant="quiet" to={`/pricing?plan=${cost.plan}#estimate`}>
              Estimate your monthly cost
            </LinkButton>
          </p>
        </div>
      </SectionRow>
      {toKnow ? <TextRow id="note" {...toKnow} /> : null}
      <SectionRow id="asked" title="Who uses this">
        <LinkList
          items={industries
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
