import type { LogoImage } from "~/content/brand";
import { saysName } from "./model";

/** Sets the height of a logo in bars, and its greatest width, in rem. */
const HEIGHT = 2;
const MAX_WIDTH = 9;

/**
 * Returns the rules that put a logo in the place of the mark, wherever pages show it; empty without a logo. It stands
 * on white where the page is dark, because nobody knows its colours. It holds nothing that HTML would escape.
 */
export function logoStyle(logo: LogoImage | null): string {
  if (!logo) return "";
  const width = Math.round(Math.min(MAX_WIDTH, HEIGHT * (logo.width / logo.height)) * 1000) / 1000;
  const plate = "background-color:#fff;outline:3px solid #fff;border-radius:2px";
  const mark = "[data-logo] svg";
  return [
    `${mark}{width:${width}rem;height:${HEIGHT}rem;background:url(${logo.src}) left center/contain no-repeat;print-color-adjust:exact}`,
    `${mark} path{display:none}`,
    `.on-deep ${mark},[data-theme=dark] ${mark}{${plate}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]) ${mark}{${plate}}}`,
    saysName(logo) ? "[data-logo] span{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}" : "",
  ].join("");
}
