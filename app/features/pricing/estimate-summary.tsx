import type { ReactNode } from "react";
import { CONTACT_PATH } from "~/lib/addresses";
import { formatCents } from "~/lib/numbers";
import { cx } from "~/ui/cx";
import { lineLabels, useSitePriceNames } from "./current-prices";
import { choiceFields, type Estimate, estimateLines, estimatePath, isShown } from "./estimate";

/** Lines that cost nothing are there but hidden: the page's script may need to show them. */
export function Breakdown({ estimate, className }: { estimate: Estimate; className?: string }) {
  const names = useSitePriceNames();
  return (
    <dl className={cx("px-in pt-[0.4rem]", className)}>
      {estimateLines(estimate, names).map((line) => (
        <div
          key={line.name}
          className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-line border-b py-[0.7rem]"
          data-line={line.name}
          hidden={!isShown(line)}
        >
          <dt className="flex-[1_1_7rem]">
            {lineLabels[line.name]}
            <small className="block text-ink-2 text-sm">{line.detail}</small>
          </dt>
          <dd className="whitespace-nowrap font-semibold">{formatCents(line.cents)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function EstimateCard({ estimate, children }: { estimate: Estimate; children: ReactNode }) {
  const names = useSitePriceNames();
  return (
    <section
      className="rounded-b-3 border border-line-strong border-t-2 border-t-ink bg-sheet"
      aria-labelledby="carried-title"
    >
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-in pt-4">
        <h2 className="text-lg" id="carried-title">
          Your estimate
        </h2>
        <p className="text-ink-2">{names.plans[estimate.choice.plan]} plan</p>
      </header>
      <Breakdown estimate={estimate} />
      <p className="flex max-w-none flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-in pt-[0.9rem] pb-[0.4rem] font-semibold">
        <span>Monthly total</span> <b className="font-bold text-lg">{formatCents(estimate.total)}</b>
      </p>
      <p className="px-in pb-[1.1rem] text-ink-3 text-sm">{children}</p>
    </section>
  );
}

/** Only the choice travels; the server prices it again, so a changed field cannot change a price. */
export function EnclosedEstimate({ estimate }: { estimate: Estimate }) {
  return (
    <>
      {choiceFields(estimate.choice).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <EstimateCard estimate={estimate}>
        It goes with your message. <a href={estimatePath(estimate.choice)}>Change it</a> or{" "}
        <a href={CONTACT_PATH}>leave it out</a>.
      </EstimateCard>
    </>
  );
}
