import { CheckCheck, CircleAlert, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Icon } from "./icon";

const GLYPHS = { waiting: Clock, sent: CheckCheck, failed: CircleAlert };

/** Shows where a mail is: on its way, sent, or not delivered. */
export function DeliveryState({ state, children }: { state: keyof typeof GLYPHS; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-[0.3rem] text-xs",
        state === "failed" ? "font-semibold text-danger" : "text-ink-2",
      )}
    >
      <Icon of={GLYPHS[state]} size="1rem" />
      {children}
    </span>
  );
}
