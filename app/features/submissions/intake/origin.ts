/** What led a visitor to the form, in words the staff can use. */
export type Origin = { source: string | null; campaign: string | null };

const PART_MAX = 100;
const CONTROL = /\p{Cc}+/gu;

/** Nothing a visitor has typed, so it is cut and never an error. */
export const originPart = (text: string | null | undefined): string | null =>
  [...(text ?? "").replace(CONTROL, " ").trim()].slice(0, PART_MAX).join("") || null;

/**
 * Where somebody comes from who opens the form: what the link of a campaign says about itself (`utm_source`,
 * `utm_campaign`), in this address or in that of the page of ours it led to first; otherwise the foreign site or the
 * page of ours. Nothing is stored in the browser for it.
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

/** What came along with a form that is shown again. */
export const sentOrigin = (values: Record<string, string>): Origin => ({
  source: originPart(values.source),
  campaign: originPart(values.campaign),
});
