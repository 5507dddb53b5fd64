import { hero } from "~/content/home";
import { Actions } from "~/ui/actions";
import { LinkButton } from "~/ui/button";
import { DayDocket } from "./day-docket";
import { Lead } from "./lead";
import { Mark } from "./mark";
import { Wrap } from "./wrap";

/**
 * Shows the hero. Both halves of the headline are one `h1`, so that a screen reader hears one statement. Where movement
 * is welcome the second replaces the first after three seconds, once; everywhere else both are shown.
 */
export function Hero({ name }: { name: string }) {
  return (
    <div className="pt-(--hero-top,clamp(2.5rem,6vw,5.5rem)) pb-[clamp(3rem,7vw,6rem)]">
      <Wrap className="flex flex-wrap items-center gap-x-columns gap-y-11 *:min-w-0 *:last:flex-[1_1_min(100%,23rem)]">
        <div className="flex-[1.25_1_min(100%,29rem)]">
          <h1 className="swap text-hero/[0.98] tracking-[-0.032em] *:block">
            <span>{hero.people}</span>{" "}
            <span>
              {hero.computers.text} <Mark>{hero.computers.marked}</Mark>
            </span>
          </h1>
          <Lead className="mt-7 mb-9">
            {name} {hero.lead}
          </Lead>
          <Actions>
            <LinkButton to="#services">Learn More</LinkButton>
            <LinkButton variant="quiet" to="/pricing">
              Estimate Your Monthly Cost
            </LinkButton>
          </Actions>
        </div>
        <DayDocket />
      </Wrap>
    </div>
  );
}
