import { cx } from "./cx";
import { Select, type SelectProps } from "./select";
import { TONES, type Tone, ToneIcon } from "./status-pill";

type InlineSelectProps = SelectProps & { tone: Tone; defaultValue: string };

/**
 * Renders a select in the row or panel it edits, coloured and marked by its state. The row tells what was changed by
 * comparing with the option marked at rendering, so a new value must be a new element.
 */
export function InlineSelect({ tone, ...rest }: InlineSelectProps) {
  return (
    <span className="relative inline-grid min-w-31 items-center max-md:w-full">
      <ToneIcon tone={tone} size="1rem" className="pointer-events-none absolute left-2" />
      <Select key={rest.defaultValue} look="state" className={cx(TONES[tone].tint, TONES[tone].text)} {...rest} />
    </span>
  );
}
