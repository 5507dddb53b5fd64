import { formatCents } from "~/lib/money";
import type { Fact } from "~/ui/fact-list";
import type { Estimate } from "../estimate";
import { estimateLines, isShown } from "../estimate-lines";
import { choiceFields, choiceQuery } from "../estimate-query";
import { lineLabels, names } from "../prices";

/** The breakdown. Lines that cost nothing are there but hidden: the page's script may need to show them. */
export function Breakdown({ estimate }: { estimate: Estimate }) {
  return (
    <dl>
      {estimateLines(estimate, names).map((line) => (
        <div key={line.name} data-line={line.name} hidden={!isShown(line)}>
          <dt>
            {lineLabels[line.name]}
            <small>{line.detail}</small>
          </dt>
          <dd>{formatCents(line.cents)}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The estimate a visitor brought along, inside the form that sends it. Only the choice travels; the server prices it
 * again, so a changed field cannot change a price.
 */
export function CarriedEstimate({ estimate }: { estimate: Estimate }) {
  return (
    <section className="carried" aria-labelledby="carried-title">
      <header>
        <h2 id="carried-title">Your estimate</h2>
        <p>{names.plans[estimate.choice.plan]} plan</p>
      </header>
      {choiceFields(estimate.choice).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Breakdown estimate={estimate} />
      <p className="total">
        <span>Monthly total</span> <b>{formatCents(estimate.total)}</b>
      </p>
      <p className="meta">
        It goes with your message. <a href={`/pricing?${choiceQuery(estimate.choice)}#estimate`}>Change it</a> or{" "}
        <a href="/contact">leave it out</a>.
      </p>
    </section>
  );
}

/** The same for a list of facts, as staff see it. */
export const estimateFacts = (estimate: Estimate): Fact[] => [
  { term: "Plan", detail: names.plans[estimate.choice.plan] },
  ...estimateLines(estimate, names)
    .filter(isShown)
    .map(({ name, detail, cents }) => ({ term: lineLabels[name], detail: `${formatCents(cents)} · ${detail}` })),
  { term: "Monthly total", detail: formatCents(estimate.total) },
];
