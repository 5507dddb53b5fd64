import { type Brand, brand } from "~/content/brand";

/** Returns the brand that the root gave the document, for titles; the defaults where its loader failed. */
export function rootBrand(matches: readonly { id: string; data?: unknown }[]): Brand {
  const root = matches.find(({ id }) => id === "root")?.data as { brand?: Brand } | undefined;
  return root?.brand ?? brand;
}
