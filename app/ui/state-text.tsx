import type { ReactNode } from "react";
import { cx } from "./cx";
import { TONES, type Tone } from "./status-pill";

/**
 * Shows a state in a sentence or a list of facts: words in the hue of their tone, with room for a glyph before them.
 */
export function StateText({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={cx("inline-flex items-center gap-[0.4rem] font-semibold", TONES[tone].text)}>{children}</span>
  );
}
