import type { LucideIcon } from "lucide-react";
import { cx } from "./cx";

type IconProps = { of: LucideIcon; className?: string };

/** A decorative icon as tall as the text beside it. It is silent: the words beside it carry the meaning. */
export function Icon({ of: Glyph, className }: IconProps) {
  return <Glyph className={cx("i", className)} aria-hidden="true" />;
}
