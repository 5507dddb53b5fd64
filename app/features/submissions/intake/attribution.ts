/** Tells what led a visitor to the form, in words the staff can use. */
export type Attribution = { source: string | null; campaign: string | null };

const PART_MAX = 100;
const CONTROL = /\p{Cc}+/gu;

/** Cuts one part of an attribution to its length: no visitor has typed it, so it is never an error. */
const attributionPart = (text: string | null | undefined): string | null =>
  [...(text ?? "").replace(CONTROL, " ").trim()].slice(0, PART_MAX).join("") || null;

/**
 * Returns where a visitor of the form comes from. Source and campaign are the first of these that exist:
 * 1. the UTM parameters of this URL (`utm_source`, `utm_campaign`);
 * 2. the UTM parameters of the page of ours that linked here;
 * 3. for the source only: the other site, or the page of ours, that linked here.
 * Nothing is stored in the browser for it.
 */
export function attributionOf(address: URL, referrer: string): Attribution {
  const before = URL.canParse(referrer) ? new URL(referrer) : null;
  const isOurs = before?.origin === address.origin;
  const utm = (name: string) =>
    attributionPart(address.searchParams.get(name)) ?? (isOurs ? attributionPart(before.searchParams.get(name)) : null);
  return { source: utm("utm_source") ?? referrerSource(address, before), campaign: utm("utm_campaign") };
}

/** Returns the host of another site, or the path of the page of ours, that linked here. */
function referrerSource(address: URL, before: URL | null): string | null {
  if (!before || !/^https?:$/.test(before.protocol)) return null;
  if (before.origin !== address.origin) return attributionPart(before.host);
  return before.pathname === address.pathname ? null : attributionPart(before.pathname);
}

/** Returns the attribution that was sent with a form that is shown again. */
export const sentAttribution = (values: Record<string, string>): Attribution => ({
  source: attributionPart(values.source),
  campaign: attributionPart(values.campaign),
});
