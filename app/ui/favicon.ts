import { brandColors } from "~/lib/brand-colors";
import { escapeHtml } from "~/lib/text";

type IconBrand = { color: string; initial: string };

/** Returns the icon of a browser's tab as a data URL, which saves a first visit one request. */
export const faviconFor = (brand: IconBrand): string => `data:image/svg+xml,${encodeURIComponent(brandIcon(brand))}`;

export function brandIcon({ color, initial }: IconBrand): string {
  const { light, dark } = brandColors(color).brand;
  return initial === ""
    ? `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -6 36 36" fill="none" stroke-width="5"><style>path{stroke:#041a21}path+path{stroke:${light}}@media(prefers-color-scheme:dark){path{stroke:#eaf2f3}path+path{stroke:${dark}}}</style><path d="M2.5 9 8 19.5 16 5"/><path d="M15.2 12.5 19 19.5 31.5 2"/></svg>`
    : `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${light}"/><text x="16" y="24" fill="#fff" font-family="Arial,sans-serif" font-weight="700" font-size="22" text-anchor="middle">${escapeHtml(initial)}</text></svg>`;
}
