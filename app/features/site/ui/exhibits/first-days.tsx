import { firstDays } from "~/content/exhibits";
import { onboardingTerms } from "~/content/plans-and-prices";
import { useSiteBrand } from "~/features/settings/ui/use-brand";
import { Exhibit } from "./exhibit";

/** Shows the first month as steps on a line, from left to right where there is room. */
export function FirstDays() {
  const { title, tag, steps } = firstDays;
  return (
    <Exhibit id="first-days" title={title} tag={tag} width="full" note={onboardingTerms(useSiteBrand().prices)}>
      <ol className="@min-[38rem]:grid @min-[38rem]:grid-cols-5 pt-1">
        {steps.map(({ when, text }) => (
          <li
            key={when}
            className="relative @max-[38rem]:ml-[0.45rem] border-line-strong @min-[38rem]:border-t-2 @max-[38rem]:border-l-2 @min-[38rem]:pt-5 @min-[38rem]:pr-4 @max-[38rem]:pb-4 @max-[38rem]:pl-5 before:absolute @max-[38rem]:before:top-[0.15rem] @min-[38rem]:before:-top-[0.5rem] @max-[38rem]:before:-left-[0.5rem] @min-[38rem]:before:left-0 before:size-[0.875rem] before:rounded-full before:border-2 before:border-brand before:bg-sheet @max-[38rem]:last:border-transparent"
          >
            <b className="block">{when}</b>
            <span className="text-ink-2">{text}</span>
          </li>
        ))}
      </ol>
    </Exhibit>
  );
}
