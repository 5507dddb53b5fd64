/** Lists the numbers of rows per page a person may choose; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Lists the page sizes as a form shows them. */
export const PAGE_SIZE_OPTIONS = PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} rows` }));

/** Returns a page size as an address says it; the default is left out. */
export const sizeParam = (size: PageSize): string | null => (size === PAGE_SIZES[0] ? null : String(size));
