import { type Due, dueInWords } from "~/lib/time-labels";
import { cx } from "./cx";

type DueTextProps = {
  due: Due;
  /** In a row's second line it is not. */
  strong?: boolean;
};

export function DueText({ due, strong = false }: DueTextProps) {
  const { state } = due;
  return (
    <span
      className={cx(
        "@max-[15rem]:whitespace-normal whitespace-nowrap",
        state === "late" &&
          "font-semibold text-danger before:mr-[0.4rem] before:inline-block before:size-2 before:bg-current forced-colors:before:bg-[CanvasText]",
        strong && state === "today" && "font-semibold",
        strong && (state === "later" || state === "kept") && "text-ink-2",
      )}
    >
      {dueInWords(due)}
    </span>
  );
}
