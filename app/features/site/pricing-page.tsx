import { type Plan, pricingNote } from "~/content/plans-and-prices";
import type { Feature } from "~/content/services";
import { type Choice, choiceQuery, type PriceList, withPlan } from "~/features/pricing/estimate";
import { useSiteBrand } from "~/features/settings/brand";
import { CONTACT_PATH } from "~/lib/addresses";
import { formatPrice } from "~/lib/numbers";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Check, ChevronDown, Icon } from "~/ui/icon";
import { VisuallyHidden } from "~/ui/text";
import { Price } from "./site-page";

type PlanTableProps = { prices: PriceList; choice: Choice };

export function PlanTable({ prices, choice }: PlanTableProps) {
  const brand = useSiteBrand();
  const { title, text } = pricingNote(brand.networkBrand, brand.prices);
  return (
    <section aria-labelledby="plans">
      <h2 className="sr-only" id="plans">
        Plans
      </h2>
      <div className="grid grid-cols-3 rounded-b-3 border border-line-strong border-t-2 border-t-ink bg-sheet max-md:grid-cols-1">
        {brand.content.plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} prices={prices} choice={choice} />
        ))}
      </div>
      <div className="mt-5 border-canary-line border-l-4 bg-canary-sheet px-[1.4rem] py-[1.1rem] text-on-canary-sheet">
        <p className="max-w-[90ch]">
          <strong>{title}</strong> {text}
        </p>
      </div>
    </section>
  );
}

/**
 * Its link carries the estimate of the page, moved to this plan. A subgrid keeps the three plans on the same lines. The
 * line under the name is narrow enough to break before the font has loaded as well as after.
 */
function PlanCard({ plan, prices, choice }: PlanTableProps & { plan: Plan }) {
  const { id, name, suits, features, highlight } = plan;
  return (
    <article
      className={cx(
        "row-span-6 grid grid-cols-1 grid-rows-subgrid border-line px-[min(1.75rem,5vw)] pt-6 pb-7 max-md:not-first:border-t md:not-first:border-l",
        highlight && "bg-brand-tint [box-shadow:inset_0_6px_0_var(--color-brand)]",
      )}
      aria-labelledby={`plan-${id}`}
    >
      <p className="min-h-[2.1rem] text-sm max-md:empty:hidden">
        {highlight ? (
          <span className="inline-block rounded-1 bg-canary px-2 py-[0.1rem] font-semibold text-on-canary">
            {highlight}
          </span>
        ) : null}
      </p>
      <h3 className="text-2xl" id={`plan-${id}`}>
        {name}
      </h3>
      <p className="mt-[0.35rem] max-w-76 text-base text-ink-2">{suits}</p>
      <Price className="mt-[1.1rem]" amount={formatPrice(prices.plans[id])} unit="per user per month" />
      <ul className="mt-[1.35rem] mb-7 *:flex *:gap-[0.6rem] *:text-balance *:py-[0.32rem] *:leading-[1.4] [&_span]:min-w-0 [&_svg]:mt-[0.18rem] [&_svg]:text-brand">
        {features.map((feature) => (
          <li key={feature}>
            <Icon of={Check} />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      <LinkButton
        variant={highlight ? "primary" : "quiet"}
        to={`${CONTACT_PATH}?${choiceQuery(withPlan(prices, choice, id))}`}
        data-estimate={id}
      >
        Get Started<VisuallyHidden> with {name}</VisuallyHidden>
      </LinkButton>
    </article>
  );
}

/** The answers are in the HTML, so a search in the page finds them. */
export function FaqList({ questions }: { questions: readonly Feature[] }) {
  return (
    <div className="[&_[open]_svg]:[rotate:180deg] [&_svg]:mt-[0.15rem] [&_svg]:[transition:rotate_0.2s]">
      {questions.map(({ title, text }) => (
        // React 18 does not know the attribute in its types; the browser does.
        <details key={title} className="border-line-strong border-t last:border-b" {...{ name: "faq" }}>
          <summary className="wrap-anywhere flex cursor-pointer list-none justify-between gap-4 py-[1.05rem] font-bold text-lg/[1.25] tracking-[-0.01em] [&::-webkit-details-marker]:hidden">
            {title}
            <Icon of={ChevronDown} />
          </summary>
          <p className="pb-[1.35rem] text-ink-2">{text}</p>
        </details>
      ))}
    </div>
  );
}
