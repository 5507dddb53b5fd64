import { hero } from "~/content/home";
import { Highlight } from "../highlight";
import { LeadText } from "../lead-text";
import { PageWidth } from "../page-width";
import { DayDocket } from "./day-docket";
import { EstimateQuestion } from "./estimate-question";

/**
 * Shows the hero. Both halves of the headline are one `h1`, so that a screen reader hears one statement. Where movement
 * is welcome the second takes the place of the first after three seconds, once; everywhere else both stand there. Their
 * letters are small enough for the column, so that each half has its two lines at every width and nothing moves.
 */
export function Hero({ name }: { name: string }) {
  return (
    <div className="pt-[clamp(2rem,5vw,4.5rem)] pb-[clamp(2.5rem,6vw,5rem)]">
      <PageWidth className="flex flex-wrap items-center gap-x-columns gap-y-9 *:min-w-0 *:last:flex-[1_1_min(100%,23rem)]">
        <div className="@container flex-[1.25_1_min(100%,29rem)]">
          <h1 className="arrives text-hero/[1.03] tracking-[-0.032em] *:block *:whitespace-pre-line">
            <span>{hero.people}</span>{" "}
            <span>
              {hero.computers.text} <Highlight>{hero.computers.marked}</Highlight>
            </span>
          </h1>
          <LeadText className="mt-6">
            {name} {hero.lead}
          </LeadText>
          <EstimateQuestion />
        </div>
        <DayDocket />
      </PageWidth>
    </div>
  );
}
