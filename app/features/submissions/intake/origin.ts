/** Tells what led a visitor to the form, in words the staff can use. */
export type Origin = { source: string | null; campaign: string | null };

const PART_MAX = 100;
const CONTROL = /\p{Cc}+/gu;

/** Cuts one part of an origin to its length: no visitor has typed it, so it is never an error. */
const originPart = (text: string | null | undefined): string | null =>
  [...(text ?? "").replace(CONTROL, " ").trim()].slice(0, PART_MAX).join("") || null;

/**
 * Returns where a visitor of the form comes from. Source and campaign are the first of these that exist:
 * 1. the UTM parameters of this URL (`utm_source`, `utm_campaign`);
 * 2. the UTM parameters of the page of ours that linked here;
 * 3. for the source only: the other site, or the page of ours, that linked here.
 * Nothing is stored in the browser for it.
 */
export function originOf(address: URL, referrer: string): Origin {
  const before = URL.canParse(referrer) ? new URL(referrer) : null;
  const isOurs = before?.origin === address.origin;
  const said = (name: string) =>
    originPart(address.searchParams.get(name)) ?? (isOurs ? originPart(before.searchParams.get(name)) : null);
  return { source: said("utm_source") ?? ledFrom(address, before), campaign: said("utm_campaign") };
}

function ledFrom(address: URL, before: URL | null): string | null {
  if (!before || !/^https?:$/.test(before.protocol)) return null;
  if (before.origin !== address.origin) return originPart(before.host);
  return before.pathname === address.pathname ? null : originPart(before.pathname);
}

/** Returns the origin that was sent with a form that is shown again. */
export const sentOrigin = (values: Record<string, string>): Origin => ({
  source: originPart(values.source),
  campaign: originPart(values.campaign),
});
