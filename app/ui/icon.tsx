import type { LucideIcon } from "lucide-react";
import { cx } from "./cx";

type IconProps = { of: LucideIcon; className?: string };

/** A decorative icon as tall as the text beside it, or as `--icon` says. It is silent: the words carry the meaning. */
export function Icon({ of: Glyph, className }: IconProps) {
  return <Glyph className={cx("size-(--icon,1.125em) flex-none", className)} aria-hidden="true" />;
}
