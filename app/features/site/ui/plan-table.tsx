import { Check } from "lucide-react";
import { type Plan, plans, pricingNote } from "~/content/plans";
import { type Choice, onPlan, type PriceList } from "~/features/pricing/estimate";
import { choiceQuery } from "~/features/pricing/estimate-query";
import { useBrand } from "~/features/settings/ui/use-brand";
import { formatDollars } from "~/lib/money";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Icon } from "~/ui/icon";
import { VisuallyHidden } from "~/ui/visually-hidden";

type PlanTableProps = { prices: PriceList; choice: Choice };

/** The plans side by side in one sheet, and what to know before signing. */
export function PlanTable({ prices, choice }: PlanTableProps) {
  const note = pricingNote(useBrand().networkBrand);
  return (
    <section aria-labelledby="plans">
      <h2 className="vh" id="plans">
        Plans
      </h2>
      <div className="rates">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} prices={prices} choice={choice} />
        ))}
      </div>
      <div className="note">
        <p>
          <strong>{note.title}</strong> {note.text}
        </p>
      </div>
    </section>
  );
}

/** Its link carries the estimate of the page, moved to this plan. */
function PlanCard({ plan, prices, choice }: PlanTableProps & { plan: Plan }) {
  const { id, name, suits, features, flag } = plan;
  return (
    <article className={cx("rate", flag && "on")} aria-labelledby={`plan-${id}`}>
      <p className="flag">{flag ? <span>{flag}</span> : null}</p>
      <h3 id={`plan-${id}`}>{name}</h3>
      <p className="for">{suits}</p>
      <p className="price">
        {formatDollars(prices.plans[id])} <small>per user per month</small>
      </p>
      <ul>
        {features.map((feature) => (
          <li key={feature}>
            <Icon of={Check} />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      <LinkButton
        variant={flag ? "primary" : "quiet"}
        to={`/contact?${choiceQuery(onPlan(prices, choice, id))}`}
        data-estimate={id}
      >
        Get Started<VisuallyHidden> with {name}</VisuallyHidden>
      </LinkButton>
    </article>
  );
}
