import { TONES, type Tone, ToneIcon } from "./badge";
import { cx } from "./cx";
import { Select, type SelectProps } from "./select";

type SetSelectProps = SelectProps & { tone: Tone; defaultValue: string };

/**
 * A select in the row or panel it edits, coloured and marked by its state. The row tells what was changed by comparing
 * with the option marked at rendering, so a new value must be a new element.
 */
export function SetSelect({ tone, ...rest }: SetSelectProps) {
  return (
    <span className="relative inline-grid min-w-31 items-center max-md:w-full">
      <ToneIcon tone={tone} className="pointer-events-none absolute left-2 [--icon:1rem]" />
      <Select
        key={rest.defaultValue}
        className={cx(
          "min-h-8 border-transparent bg-position-[right_0.4rem_center] py-[0.2rem] pr-7 pl-[1.8rem] font-semibold text-xs hover:border-control max-md:min-h-11",
          TONES[tone].tint,
          TONES[tone].text,
        )}
        {...rest}
      />
    </span>
  );
}
