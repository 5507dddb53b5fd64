import { type Due, dueInWords } from "~/lib/due";
import { cx } from "./cx";

type DueTextProps = {
  due: Due;
  /**
   * Tells whether what is due today is bold, where it stands for itself, as in a queue. In a row's second line it is
   * not.
   */
  strong?: boolean;
};

/** Shows how a promised time stands, in words; what is late has a square as well as a colour. */
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
