import { useSiteBrand } from "~/features/settings/ui/use-brand";
import { CONTACT_PATH } from "~/lib/addresses";
import { formatCents } from "~/lib/money";
import { LinkButton } from "~/ui/button";
import { Docket, TearLine } from "~/ui/docket";
import { onboardingSentence, priceNames } from "../current-prices";
import type { Estimate } from "../estimate";
import { choiceQuery } from "../estimate-query";
import { Breakdown } from "./estimate-summary";

/** Shows the estimate line by line with its total, and leads on to the contact form. */
export function Receipt({ estimate }: { estimate: Estimate }) {
  const planName = priceNames.plans[estimate.choice.plan];
  return (
    <div className="flex-[1_1_min(100%,23rem)] lg:sticky lg:top-26 [&_h2+p]:mt-[0.6rem]">
      <Docket
        id="receipt"
        title="Your estimate"
        subtitle={
          <span className="text-ink-3 text-sm" data-plan-name>
            {planName} plan
          </span>
        }
        hasCarbonCopy
      >
        <Breakdown className="pb-4" estimate={estimate} />
        <TearLine />
        <p className="flex max-w-none flex-wrap items-baseline justify-between gap-4 px-in pt-[1.1rem] pb-[0.4rem]">
          <b>Monthly total</b>
          <output
            className="font-bold text-[length:min(2.25rem,11vw)]/[1] tracking-[-0.03em]"
            form="estimator"
            htmlFor="users lab"
            data-total
          >
            {formatCents(estimate.total)}
          </output>
        </p>
        <div className="px-in pt-[0.2rem] pb-6">
          <p className="text-ink-3 text-sm">An estimate, before tax. {onboardingSentence(useSiteBrand().prices)}.</p>
          <LinkButton wide className="mt-4" to={`${CONTACT_PATH}?${choiceQuery(estimate.choice)}`} data-estimate="">
            Schedule Your Free Assessment
          </LinkButton>
        </div>
      </Docket>
    </div>
  );
}
