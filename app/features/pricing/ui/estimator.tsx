import type { ReactNode } from "react";
import { type AddOn, addOns, LAB_COMPUTERS, plans, USERS } from "~/content/plans";
import { formatCents, formatDollars } from "~/lib/money";
import { LinkButton } from "~/ui/button";
import { Docket } from "~/ui/docket";
import { Notice } from "~/ui/flash";
import type { Choice, Estimate, PriceList } from "../estimate";
import { labPriceText } from "../estimate-lines";
import { type Adjusted, choiceQuery } from "../estimate-query";
import { names, onboardingSentence } from "../prices";
import { Breakdown } from "./estimate-summary";

type EstimatorProps = { prices: PriceList; estimate: Estimate; adjusted: readonly Adjusted[] };

/**
 * The estimator: a plain GET form whose address is its whole state. The page's script (estimator-script.ts) reveals the
 * sliders, hides the button and keeps the total in step; every `data-` attribute here is for it.
 */
export function Estimator({ prices, estimate, adjusted }: EstimatorProps) {
  return (
    <section className="est ruled" aria-labelledby="estimate">
      <div>
        <h2 id="estimate">Estimate your monthly cost</h2>
        <p className="muted">Choose a plan, say how many people, see the total. Nothing is saved or sent.</p>
        <div role="status">
          {adjusted.length > 0 ? <Notice kind="info" message="We adjusted a value to the allowed range." /> : null}
        </div>
        <EstimatorForm prices={prices} estimate={estimate} adjusted={adjusted} />
        <p className="running" aria-hidden="true">
          Monthly total <b data-total>{formatCents(estimate.total)}</b>
        </p>
      </div>
      <Receipt estimate={estimate} />
    </section>
  );
}

function EstimatorForm({ prices, estimate: { choice, rate, labPercent }, adjusted }: EstimatorProps) {
  return (
    <form
      id="estimator"
      method="get"
      action="/pricing#estimate"
      noValidate
      data-catalog={JSON.stringify({ prices, names })}
    >
      <PlanChoice prices={prices} choice={choice} isAdjusted={adjusted.includes("plan")} />
      <Dial
        name="users"
        label="Full-time users"
        range={USERS}
        value={choice.users}
        isAdjusted={adjusted.includes("users")}
        hint={`From ${USERS.least} to ${USERS.most}.`}
      >
        <p className="more" data-more hidden={choice.users < USERS.most}>
          More than {USERS.most} people? <a href="/contact">Tell us and we'll price it.</a>
        </p>
      </Dial>
      <Dial
        name="lab"
        label="Lab or shared computers"
        range={LAB_COMPUTERS}
        value={choice.lab}
        isAdjusted={adjusted.includes("lab")}
        hint={
          <>
            From {LAB_COMPUTERS.least} to {LAB_COMPUTERS.most}. Each is{" "}
            <span data-lab-price>{labPriceText(rate, labPercent)}</span> a month on this plan.
          </>
        }
      />
      <fieldset>
        <legend>Monthly add-ons</legend>
        <div className="choices adds">
          {addOns.map((addOn) => (
            <AddOnToggle key={addOn.flag} addOn={addOn} prices={prices} choice={choice} />
          ))}
        </div>
      </fieldset>
      <div data-without-script>
        <button className="btn quiet" type="submit">
          Update estimate
        </button>
      </div>
    </form>
  );
}

type PlanChoiceProps = { prices: PriceList; choice: Choice; isAdjusted: boolean };

function PlanChoice({ prices, choice, isAdjusted }: PlanChoiceProps) {
  return (
    <fieldset>
      <legend>Plan</legend>
      {isAdjusted ? <p className="hint changed">We don’t have that plan; this is {names.plans[choice.plan]}.</p> : null}
      <div className="choices">
        {plans.map(({ id, name }) => (
          <label className="choice" key={id}>
            <input type="radio" name="plan" value={id} defaultChecked={id === choice.plan} />
            <span>
              <b>{name}</b>
              {formatDollars(prices.plans[id])} per user
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type DialProps = {
  name: "users" | "lab";
  label: string;
  range: { least: number; most: number };
  value: number;
  isAdjusted: boolean;
  hint: ReactNode;
  children?: ReactNode;
};

/** A number, and with scripts a slider beside it that is kept equal. The visible label belongs to the number. */
function Dial({ name, label, range: { least, most }, value, isAdjusted, hint, children }: DialProps) {
  return (
    <div className="dial">
      <label htmlFor={name}>
        <b>{label}</b>
      </label>
      <p className="hint" id={`${name}-hint`}>
        {hint} {isAdjusted ? <span className="changed">We set it to {value}.</span> : null}
      </p>
      <input
        id={name}
        name={name}
        type="number"
        inputMode="numeric"
        autoComplete="off"
        min={least}
        max={most}
        step={1}
        defaultValue={value}
        aria-describedby={`${name}-hint`}
      />
      <div data-slider hidden>
        <input
          type="range"
          min={least}
          max={most}
          defaultValue={value}
          aria-label={`${label}, slider`}
          data-for={name}
        />
        <div className="ends" aria-hidden="true">
          <span>{least}</span>
          <span>{most}</span>
        </div>
      </div>
      {children}
    </div>
  );
}

type AddOnToggleProps = { addOn: AddOn; prices: PriceList; choice: Choice };

/** A plan may contain what the add-on adds; then the toggle says so. Ticked all the same, it is counted. */
function AddOnToggle({ addOn: { flag, name }, prices, choice }: AddOnToggleProps) {
  const containedIn = plans.filter(({ id }) => prices.included[id].includes(flag));
  return (
    <label className="choice">
      <input type="checkbox" name={flag} value="on" defaultChecked={choice.addOns.includes(flag)} />
      <span>
        {name}
        {containedIn.map((plan) => (
          <small key={plan.id} data-included={plan.id} hidden={plan.id !== choice.plan}>
            Already included in {plan.name}
          </small>
        ))}
      </span>
      <span className="amt">+{formatDollars(prices.addOns[flag])}</span>
    </label>
  );
}

function Receipt({ estimate }: { estimate: Estimate }) {
  const planName = names.plans[estimate.choice.plan];
  return (
    <div className="receipt">
      <Docket
        id="receipt"
        title="Your estimate"
        subtitle={
          <span className="meta" data-plan-name>
            {planName} plan
          </span>
        }
        copy
      >
        <Breakdown estimate={estimate} />
        <hr className="tear" />
        <p className="total">
          <b>Monthly total</b>
          <output form="estimator" htmlFor="users lab" data-total>
            {formatCents(estimate.total)}
          </output>
        </p>
        <div className="foot-note">
          <p className="meta">An estimate, before tax. {onboardingSentence()}.</p>
          <LinkButton wide to={`/contact?${choiceQuery(estimate.choice)}`} data-estimate="">
            Schedule Your Free Assessment
          </LinkButton>
        </div>
      </Docket>
    </div>
  );
}
