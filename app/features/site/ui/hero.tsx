import { hero } from "~/content/home";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { DayDocket } from "./day-docket";
import { Highlight } from "./highlight";
import { LeadText } from "./lead-text";
import { PageWidth } from "./page-width";

/**
 * Shows the hero. Both halves of the headline are one `h1`, so that a screen reader hears one statement. Where movement
 * is welcome the second replaces the first after three seconds, once; everywhere else both are shown.
 */
export function Hero({ name }: { name: string }) {
  return (
    <div className="pt-(--hero-top,clamp(2.5rem,6vw,5.5rem)) pb-[clamp(3rem,7vw,6rem)]">
      <PageWidth className="flex flex-wrap items-center gap-x-columns gap-y-11 *:min-w-0 *:last:flex-[1_1_min(100%,23rem)]">
        <div className="flex-[1.25_1_min(100%,29rem)]">
          <h1 className="swap text-hero/[0.98] tracking-[-0.032em] *:block">
            <span>{hero.people}</span>{" "}
            <span>
              {hero.computers.text} <Highlight>{hero.computers.marked}</Highlight>
            </span>
          </h1>
          <LeadText className="mt-7 mb-9">
            {name} {hero.lead}
          </LeadText>
          <ButtonRow>
            <LinkButton to="#services">Learn More</LinkButton>
            <LinkButton variant="quiet" to="/pricing">
              Estimate Your Monthly Cost
            </LinkButton>
          </ButtonRow>
        </div>
        <DayDocket />
      </PageWidth>
    </div>
  );
}
