/**
 * Sets the focus at page load, for the two elements that are the reason the page was shown: the error summary and the
 * only field of the code screen. The attribute works without scripts, which a call to `focus()` would not.
 */
export const focusOnLoad = { autoFocus: true } as const;
