import { Check, CheckCheck } from "lucide-react";
import { dayDocket } from "~/content/home";
import { Docket } from "~/ui/docket";
import { Icon } from "~/ui/icon";
import { VisuallyHidden } from "~/ui/visually-hidden";

/** A day's work as it is written down: one tick for done, two for done and checked. The ticks are read as words. */
export function DayDocket() {
  return (
    <Docket
      id="day"
      as="figure"
      title={dayDocket.title}
      subtitle={<span className="meta">{dayDocket.disclaimer}</span>}
      copy
    >
      <ol className="log">
        {dayDocket.entries.map(({ time, text, isChecked }) => (
          <li key={time} className={isChecked ? undefined : "done1"}>
            <time>{time}</time>
            <span>{text}</span>
            <span className="ticks">
              <Icon of={isChecked ? CheckCheck : Check} />
              <VisuallyHidden>{isChecked ? "Fixed and checked" : "Done"}</VisuallyHidden>
            </span>
          </li>
        ))}
      </ol>
      <figcaption className="key" aria-hidden="true">
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
