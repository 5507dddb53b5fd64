import { cx } from "./cx";
import { Icon } from "./icon";
import { CheckCheck, CircleAlert, Clock } from "./icons";

const GLYPHS = { waiting: Clock, sent: CheckCheck, failed: CircleAlert };

/** Shows where a mail is: on its way, sent, or not delivered. */
export function DeliveryState({ state, words }: { state: keyof typeof GLYPHS; words: string }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-[0.3rem] text-xs",
        state === "failed" ? "font-semibold text-danger" : "text-ink-2",
      )}
    >
      <Icon of={GLYPHS[state]} size="1rem" />
      {words}
    </span>
  );
}
