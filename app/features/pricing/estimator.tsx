import type { InputHTMLAttributes, ReactNode } from "react";
import { type AddOn, addOns } from "~/content/add-ons";
import { LAB_COMPUTERS, USERS } from "~/content/plans-and-prices";
import { useSiteBrand } from "~/features/settings/brand";
import { CONTACT_PATH } from "~/lib/addresses";
import { formatCents, formatPrice } from "~/lib/numbers";
import { Button, LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Docket, TearLine } from "~/ui/docket";
import { controlStyle } from "~/ui/form";
import { Columns, Notice } from "~/ui/page";
import { onboardingSentence, useSitePriceNames } from "./current-prices";
import {
  type AdjustedField,
  addOnPriceText,
  type Choice,
  choiceQuery,
  type Estimate,
  labPriceText,
  NUMBER_RANGES,
  numberNote,
  type PriceList,
  shownNumber,
} from "./estimate";
import { Breakdown } from "./estimate-summary";

type EstimatorProps = {
  prices: PriceList;
  estimate: Estimate;
  given: Record<keyof typeof NUMBER_RANGES, string | null>;
  adjusted: readonly AdjustedField[];
};

/**
 * A plain GET form whose address is its whole state. The page's script reveals the sliders, hides the button and keeps
 * the total in step; the `data-` attributes are for it.
 */
export function Estimator({ prices, estimate, given, adjusted }: EstimatorProps) {
  return (
    <Columns as="section" className="mt-section border-ink border-t-2 py-section" aria-labelledby="estimate">
      <div className="flex-[999_1_min(100%,30rem)] print:hidden">
        <h2 id="estimate">Estimate your monthly cost</h2>
        <p className="mt-[0.6rem] text-ink-2">
          Choose a plan, say how many people, see the total. Nothing is saved or sent.
        </p>
        <div role="status">
          {adjusted.length > 0 ? (
            <Notice kind="info" message="We adjusted a value to the allowed range." className="mt-5" />
          ) : null}
        </div>
        <EstimatorForm prices={prices} estimate={estimate} given={given} adjusted={adjusted} />
        {/* On a phone the receipt is far below the controls: its last line stays in view as long as they do. */}
        <p
          className="sticky bottom-0 z-1 -mx-gutter mt-6 hidden max-w-none flex-wrap items-baseline justify-between gap-x-4 border-ink border-t-2 bg-sheet px-gutter py-[0.7rem] max-lg:flex"
          aria-hidden="true"
          data-running=""
        >
          Monthly total{" "}
          <b className="font-bold text-lg" data-total>
            {formatCents(estimate.total)}
          </b>
        </p>
      </div>
      <Receipt estimate={estimate} />
    </Columns>
  );
}

function EstimatorForm({ prices, estimate: { choice, rate, labPercent }, given, adjusted }: EstimatorProps) {
  return (
    <form
      id="estimator"
      className="mt-7 grid gap-9"
      method="get"
      action="/pricing#estimate"
      noValidate
      data-catalog={JSON.stringify({ prices, names: useSitePriceNames() })}
    >
      <PlanChoice prices={prices} choice={choice} isAdjusted={adjusted.includes("plan")} />
      <NumberWithSlider
        name="users"
        label="Full-time users"
        given={given.users}
        value={choice.users}
        hint={`From ${USERS.min} to ${USERS.max}.`}
      >
        <p className="col-span-full" data-more hidden={choice.users < USERS.max}>
          More than {USERS.max} people? <a href={CONTACT_PATH}>Tell us and we'll price it.</a>
        </p>
      </NumberWithSlider>
      <NumberWithSlider
        name="lab"
        label="Lab or shared computers"
        given={given.lab}
        value={choice.lab}
        hint={
          <>
            From {LAB_COMPUTERS.min} to {LAB_COMPUTERS.max}. Each is{" "}
            <span data-lab-price>{labPriceText(rate, labPercent)}</span> a month on this plan.
          </>
        }
      />
      <fieldset>
        <legend>Monthly add-ons</legend>
        <div className="mt-[0.7rem] grid grid-cols-2 gap-3 max-md:grid-cols-1">
          {addOns.map((addOn) => (
            <AddOnToggle key={addOn.id} addOn={addOn} prices={prices} choice={choice} />
          ))}
        </div>
      </fieldset>
      <div data-without-script>
        <Button variant="quiet" type="submit">
          Update estimate
        </Button>
      </div>
    </form>
  );
}

type ChoiceBoxProps = InputHTMLAttributes<HTMLInputElement> & { type: "checkbox" | "radio"; children: ReactNode };

function ChoiceBox({ className, children, ...rest }: ChoiceBoxProps) {
  return (
    <label
      className={cx(
        "flex cursor-pointer items-center gap-[0.7rem] rounded-2 border border-control bg-sheet px-4 py-[0.8rem] leading-[1.3] has-checked:border-action has-checked:bg-brand-tint has-focus-visible:outline-offset-2 *:focus-visible:[outline:0] has-checked:[box-shadow:inset_0_0_0_1px_var(--color-action)] has-focus-visible:[outline:3px_solid_var(--color-focus)]",
        className,
      )}
    >
      <input {...rest} />
      {children}
    </label>
  );
}

function PlanChoice({ prices, choice, isAdjusted }: { prices: PriceList; choice: Choice; isAdjusted: boolean }) {
  const { plans } = useSiteBrand().content;
  return (
    <fieldset>
      <legend>Plan</legend>
      {isAdjusted ? (
        <p className="font-semibold text-ink text-sm">
          We don’t have that plan; this is {plans.find(({ id }) => id === choice.plan)?.name}.
        </p>
      ) : null}
      <div className="mt-[0.7rem] grid grid-cols-3 gap-3 max-md:grid-cols-1">
        {plans.map(({ id, name }) => (
          <ChoiceBox key={id} type="radio" name="plan" value={id} defaultChecked={id === choice.plan}>
            <span>
              <b className="block">{name}</b>
              {formatPrice(prices.plans[id])} per user
            </span>
          </ChoiceBox>
        ))}
      </div>
    </fieldset>
  );
}

type NumberWithSliderProps = {
  name: keyof typeof NUMBER_RANGES;
  label: string;
  given: string | null;
  value: number;
  hint: ReactNode;
  children?: ReactNode;
};

/**
 * With scripts a slider beside it is kept equal. What is wrong with a number is said by the server and by the script in
 * the same words.
 */
function NumberWithSlider({ name, label, given, value, hint, children }: NumberWithSliderProps) {
  const { min, max } = NUMBER_RANGES[name];
  return (
    <div className="grid grid-cols-[5.5rem_1fr] items-center gap-x-5 gap-y-[0.35rem]">
      <label className="col-span-full" htmlFor={name}>
        <b>{label}</b>
      </label>
      <p className="col-span-full text-ink-2 text-sm" id={`${name}-hint`}>
        {hint}
      </p>
      <input
        id={name}
        className={controlStyle("text", "font-semibold")}
        name={name}
        type="number"
        inputMode="numeric"
        autoComplete="off"
        min={min}
        max={max}
        step={1}
        defaultValue={shownNumber(given, value)}
        aria-describedby={`${name}-note ${name}-hint`}
      />
      <div data-slider hidden>
        <input
          className="h-7 w-full accent-action"
          type="range"
          min={min}
          max={max}
          defaultValue={value}
          aria-label={`${label}, slider`}
          data-for={name}
        />
        <div className="flex justify-between text-ink-3 text-xs" aria-hidden="true">
          <span>{min}</span>
          <span>{max}</span>
        </div>
      </div>
      <p
        className="col-span-full font-semibold text-ink text-sm empty:sr-only"
        id={`${name}-note`}
        role="status"
        data-note={name}
      >
        {numberNote(given, NUMBER_RANGES[name])}
      </p>
      {children}
    </div>
  );
}

/** What the chosen plan contains says so and cannot be chosen: it costs nothing. */
function AddOnToggle({ addOn: { id, name }, prices, choice }: { addOn: AddOn; prices: PriceList; choice: Choice }) {
  const isIncluded = prices.included[choice.plan].includes(id);
  return (
    <ChoiceBox
      className="flex-wrap has-disabled:cursor-default has-disabled:border-line has-disabled:bg-transparent"
      type="checkbox"
      name={id}
      value="on"
      defaultChecked={choice.addOns.includes(id)}
      disabled={isIncluded}
    >
      <span className="flex-[1_1_6rem]">{name}</span>
      <span className="flex-none font-semibold text-ink-2" data-add-on={id}>
        {addOnPriceText(prices, choice.plan, id)}
      </span>
    </ChoiceBox>
  );
}

function Receipt({ estimate }: { estimate: Estimate }) {
  const planName = useSitePriceNames().plans[estimate.choice.plan];
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
