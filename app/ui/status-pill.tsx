import type { ReactNode } from "react";
import { type Due, dueInWords } from "~/lib/time-labels";
import { cx } from "./cx";
import { Select, type SelectProps } from "./form";
import { Circle, CircleCheck, CircleHalf, CircleMinus, CirclePause, Icon } from "./icon";

/** Each has its own glyph, so hue is never the only sign. */
export type Tone = "open" | "progress" | "waiting" | "resolved" | "closed";

export const TONES: Record<Tone, { text: string; tint: string; dot: string }> = {
  open: { text: "text-open", tint: "bg-open-tint", dot: "text-open-dot" },
  progress: { text: "text-progress", tint: "bg-progress-tint", dot: "text-progress-dot" },
  waiting: { text: "text-waiting", tint: "bg-waiting-tint", dot: "text-waiting-dot" },
  resolved: { text: "text-resolved", tint: "bg-resolved-tint", dot: "text-resolved-dot" },
  closed: { text: "text-closed", tint: "bg-closed-tint", dot: "text-closed-dot" },
};

const GLYPHS: Record<Tone, string> = {
  open: Circle,
  progress: CircleHalf,
  waiting: CirclePause,
  resolved: CircleCheck,
  closed: CircleMinus,
};

export function ToneIcon({ tone, size, className }: { tone: Tone; size?: string; className?: string }) {
  return <Icon of={GLYPHS[tone]} size={size} className={cx(TONES[tone].dot, className)} />;
}

export function StatusPill({ tone, label }: { tone: Tone; label: string }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-[0.4rem] @max-[16rem]:whitespace-normal whitespace-nowrap rounded-1 py-[0.16rem] pr-[0.55rem] pl-[0.4rem] font-semibold text-xs/[1.35]",
        TONES[tone].tint,
        TONES[tone].text,
      )}
    >
      <ToneIcon tone={tone} size="1rem" />
      {label}
    </span>
  );
}

export function Tag({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span
      className={cx(
        "whitespace-nowrap rounded-1 border border-line-strong px-[0.45rem] py-[0.1rem] text-xs",
        className,
      )}
    >
      {children}
    </span>
  );
}

export function StateText({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={cx("inline-flex items-center gap-[0.4rem] font-semibold", TONES[tone].text)}>{children}</span>
  );
}

/** A new value must be a new element: the row compares with the option marked at rendering. */
export function InlineSelect({ tone, ...rest }: SelectProps & { tone: Tone; defaultValue: string }) {
  return (
    <span className="relative inline-grid min-w-31 items-center max-md:w-full">
      <ToneIcon tone={tone} size="1rem" className="pointer-events-none absolute left-2" />
      <Select key={rest.defaultValue} variant="state" className={cx(TONES[tone].tint, TONES[tone].text)} {...rest} />
    </span>
  );
}

export function DueText({ due }: { due: Due }) {
  const { state } = due;
  return (
    <span
      className={cx(
        "@max-[15rem]:whitespace-normal whitespace-nowrap",
        state === "late" &&
          "font-semibold text-danger before:mr-[0.4rem] before:inline-block before:size-2 before:bg-current forced-colors:before:bg-[CanvasText]",
        state === "today" && "font-semibold",
        (state === "later" || state === "kept") && "text-ink-2",
      )}
    >
      {dueInWords(due)}
    </span>
  );
}
