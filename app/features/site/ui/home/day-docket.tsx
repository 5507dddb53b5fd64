import { dayDocket } from "~/content/home";
import { cx } from "~/ui/cx";
import { Docket } from "~/ui/docket";
import { Icon } from "~/ui/icon";
import { Check, CheckCheck } from "~/ui/icons";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { ExampleTag } from "../exhibits/exhibit";

/** Shows a day's work as a list: one tick for done, two for done and checked. The ticks are read as words. */
export function DayDocket() {
  return (
    <Docket
      id="day"
      as="figure"
      title={dayDocket.title}
      subtitle={<ExampleTag>{dayDocket.disclaimer}</ExampleTag>}
      hasCarbonCopy
    >
      <ol className="*:flex *:flex-wrap *:items-start *:gap-x-[0.7rem] *:gap-y-1 *:border-line *:border-b *:px-in *:py-[0.85rem] *:leading-[1.4] [&_time]:flex-[0_0_3.1rem] [&_time]:font-semibold [&_time]:text-ink-2">
        {dayDocket.entries.map(({ time, text, isChecked }) => (
          <li key={time}>
            <time>{time}</time>
            <span className="flex-[1_1_7rem]">{text}</span>
            <span className={cx("pt-[0.1rem]", isChecked ? "text-brand" : "text-ink-3")}>
              <Icon of={isChecked ? CheckCheck : Check} size="1.4rem" />
              <VisuallyHidden>{isChecked ? "Fixed and checked" : "Done"}</VisuallyHidden>
            </span>
          </li>
        ))}
      </ol>
      <figcaption
        className="flex flex-wrap gap-x-6 gap-y-1 px-in py-[0.9rem] text-ink-2 text-sm *:inline-flex *:items-center *:gap-[0.45rem]"
        aria-hidden="true"
      >
        <span>
          <Icon of={Check} /> done
        </span>
        <span>
          <Icon of={CheckCheck} /> done, then checked
        </span>
      </figcaption>
    </Docket>
  );
}
