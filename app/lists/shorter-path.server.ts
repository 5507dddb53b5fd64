import { significantParams } from "~/lib/search-params";

type Address = { path: string; defaults: Readonly<Record<string, string>> };

/**
 * Returns the address of a list without parameters that say nothing, as a form without scripts sends them. Null if none
 * of them is empty.
 */
export function shorterPath({ path, defaults }: Address, params: URLSearchParams): string | null {
  if (![...params.values()].includes("")) return null;
  const query = significantParams(params, defaults).toString();
  return query ? `${path}?${query}` : path;
}
