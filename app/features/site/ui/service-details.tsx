import { industries } from "~/content/industries";
import { type PlanId, plans } from "~/content/plans";
import type { Feature, Service } from "~/content/services";
import { formatDollars } from "~/lib/money";
import { Breadcrumb } from "~/ui/breadcrumb";
import { Link } from "~/ui/link";
import { FeatureBlocks, TickList } from "./feature-list";
import { SectionRow } from "./section-row";
import { SitePage } from "./site-page";

/** One service: what it is, what is in it, what the client gets, what it costs, and who tends to ask for it. */
export function ServiceDetails({ service }: { service: Service }) {
  const { title, overview, features, benefits, stopDoing, also, note, cost } = service;
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
          <p className="stop">
            <b>You stop doing:</b> {stopDoing}
          </p>
        </div>
      </SectionRow>
      {also ? <TextRow id="also" {...also} /> : null}
      <SectionRow id="cost" title="What it costs">
        <div className="cost">
          <p>
            {cost.text} {rateOf(cost.plan)}
          </p>
          <p>
            <Link to={`/pricing?plan=${cost.plan}#estimate`}>Estimate your monthly cost</Link>
          </p>
        </div>
      </SectionRow>
      {note ? <TextRow id="note" {...note} /> : null}
      <SectionRow id="asked" title="Who asks for it">
        <ul className="also-list">
          {industries
            .filter(({ services }) => services.includes(service.id))
            .map(({ slug, title: industry, summary }) => (
              <li key={slug}>
                <Link to={`/industries/${slug}`}>{industry}</Link> <span>{summary}</span>
              </li>
            ))}
        </ul>
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

const rateOf = (id: PlanId): string => {
  const plan = plans.find((candidate) => candidate.id === id);
  return plan ? `${plan.name} is ${formatDollars(plan.monthlyCents)} per user per month.` : "";
};
