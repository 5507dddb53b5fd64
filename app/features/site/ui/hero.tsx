import { hero } from "~/content/home";
import { LinkButton } from "~/ui/button";
import { DayDocket } from "./day-docket";

/**
 * Both halves of the headline are one `h1`, so that a screen reader hears one statement. Where movement is welcome the
 * second takes the place of the first after three seconds, once; everywhere else both stand there.
 */
export function Hero({ name }: { name: string }) {
  return (
    <div className="hero">
      <div className="wrap">
        <div>
          <h1 className="swap">
            <span>{hero.people}</span>{" "}
            <span>
              {hero.computers.text} <span className="mark">{hero.computers.marked}</span>
            </span>
          </h1>
          <p className="lead">
            {name} {hero.lead}
          </p>
          <div className="acts-row">
            <LinkButton to="#services">Learn More</LinkButton>
            <LinkButton variant="quiet" to="/pricing">
              Estimate Your Monthly Cost
            </LinkButton>
          </div>
        </div>
        <DayDocket />
      </div>
    </div>
  );
}
