import { Circle, CircleCheck, CircleMinus, CirclePause, Contrast, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon";

/** The five hues of a state, named after where the work stands. Each has its own glyph, so hue is never the only sign. */
export type Tone = "open" | "progress" | "waiting" | "resolved" | "closed";

const GLYPHS: Record<Tone, LucideIcon> = {
  open: Circle,
  progress: Contrast,
  waiting: CirclePause,
  resolved: CircleCheck,
  closed: CircleMinus,
};

/** The glyph of a tone; it takes its colour from an ancestor with the tone's class. */
export function ToneIcon({ tone }: { tone: Tone }) {
  return <Icon of={GLYPHS[tone]} />;
}

/** A state as glyph and word. */
export function StatusPill({ tone, label }: { tone: Tone; label: string }) {
  return (
    <span className={`pill ${tone}`}>
      <ToneIcon tone={tone} />
      {label}
    </span>
  );
}

/** A plain fact worth a frame, such as a role: no hue. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="outlined">{children}</span>;
}
