import type { LucideIcon } from "lucide-react";
import { cx } from "./cx";

type IconProps = { of: LucideIcon; size?: string; className?: string };

/** Renders a decorative icon as tall as the text beside it. Screen readers skip it: the words carry the meaning. */
export function Icon({ of: Glyph, size = "1.125em", className }: IconProps) {
  return <Glyph size={size} className={cx("flex-none", className)} aria-hidden="true" />;
}
