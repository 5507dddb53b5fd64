import type { LucideIcon } from "lucide-react";
import { cx } from "./cx";

type IconProps = { of: LucideIcon; size?: string; className?: string };

/** A decorative icon as tall as the text beside it. It is silent: the words beside it carry the meaning. */
export function Icon({ of: Glyph, size = "1.125em", className }: IconProps) {
  return <Glyph size={size} className={cx("flex-none", className)} aria-hidden="true" />;
}
