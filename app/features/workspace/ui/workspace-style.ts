import { cx } from "../../../ui/cx";
import { namedUtilities } from "../../../ui/styles/named-utilities";

export default namedUtilities({
  workspace: cx(
    "grid min-h-svh grid-cols-[min(15.5rem,30vw)_minmax(0,1fr)] text-sm/[1.45] [--btn-text:0.9375rem] [--btn-x:0.9rem]",
    "[--spacing-tap:2.25rem] max-md:grid-cols-[minmax(0,1fr)] max-md:content-start",
    "md:max-[81.25rem]:grid-cols-[min(13rem,30vw)_minmax(0,1fr)] print:block max-md:[--spacing-tap:2.75rem]",
    // Large text on a phone breaks no word of a title.
    "[&_h1]:text-[min(1.75rem,11vw)]",
  ),
  "workspace-bar": cx(
    "sticky top-0 z-4 flex max-md:flex-wrap max-md:items-center max-md:gap-x-1 max-md:border-line max-md:border-b max-md:bg-page max-[14rem]:static",
    "max-md:px-[min(1rem,4vw)] max-md:py-[0.3rem] md:col-start-1 md:row-start-1 md:max-h-[min(37rem,100svh-8rem)] md:flex-col md:gap-5 md:self-start md:overflow-auto md:px-3",
    "md:pt-[1.1rem] md:pb-4 print:hidden max-md:[--btn-x:0.6rem]",
  ),
  // Comes after the page in the order of the keyboard, and stands below the navigation: all that its links leave free.
  "workspace-live": cx(
    "md:sticky md:bottom-0 md:col-start-1 md:row-start-1 md:max-h-[max(8rem,100svh-37rem)] md:self-end md:overflow-auto",
    "md:px-3 md:pb-4",
    "print:hidden",
  ),
  "workspace-logo": cx(
    "max-md:mr-auto max-md:not-focus:group-has-data-live-toast:hidden max-[14rem]:-order-1 md:flex-wrap md:px-[0.6rem] md:pt-[0.15rem]",
    "md:pb-[0.4rem] max-[22.5rem]:[&>span]:sr-only",
  ),
  "workspace-link": cx(
    "current:edge-l max-md:menu-item current:font-semibold no-underline max-md:last:border-b-0 md:flex",
    "md:min-h-[2.125rem] md:items-center md:justify-between md:gap-2 md:rounded-2 md:current:bg-sheet",
    "md:px-[0.6rem] md:py-[0.3rem] md:current:text-ink md:text-ink-2 md:hover:bg-sunken md:hover:text-ink",
    "md:current:[box-shadow:inset_3px_0_0_var(--color-brand),inset_0_0_0_1px_var(--color-line)]",
  ),
  // A part of the column; on a phone a popover.
  "workspace-panel": cx(
    // The bar stays at the top, so its popovers have a fixed position; under their buttons they would leave the screen.
    "max-md:menu-panel max-md:inset-[3.9rem_1rem_auto_auto] max-md:m-0 max-md:[position-area:none]",
    // In the column nothing is left of what a browser makes of a popover.
    "md:static md:m-0 md:block md:size-auto md:overflow-visible md:border-0 md:bg-transparent md:p-0",
    "md:text-inherit",
  ),
  "live-updates": cx(
    "*:wrap-anywhere *:grid *:grid-cols-[minmax(0,1fr)_auto] *:items-center *:gap-x-2 *:border-line *:border-b",
    "*:py-2 *:text-xs/[1.4] *:last:border-0",
  ),
});
