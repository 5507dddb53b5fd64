/** Lists how many rows a page may have; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Lists the page sizes as options of a form. */
export const PAGE_SIZE_OPTIONS = PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }));

/** Returns the parameter of a page size; null for the default. */
export const sizeParam = (size: PageSize): string | null => (size === PAGE_SIZES[0] ? null : String(size));
