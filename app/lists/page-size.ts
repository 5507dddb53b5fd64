/** Lists how many rows a page may have; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Returns the parameter of a page size; null for the default. */
export const sizeParam = (size: PageSize): string | null => (size === PAGE_SIZES[0] ? null : String(size));

/**
 * Returns the sizes as links. `pathTo` returns the address of the list with a parameter `size`, null for the default.
 */
export const sizeLinks = (current: PageSize, pathTo: (size: string | null) => string) =>
  PAGE_SIZES.map((size) => ({ size, to: pathTo(sizeParam(size)), current: size === current }));
