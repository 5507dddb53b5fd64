import { cx } from "../cx";
import { looks } from "./looks";

/*
 * The look of the rows of a list (row-table.tsx): a table from 1100 px, rows of two lines from 960 px, cards below. It
 * stands at the table and its groups, so that no cell repeats a class (docs/decisions/0024-rows-are-plain.md). `*:` is
 * a row, `*:*:` a cell; variants that begin with `row-` are in rows.css.
 *
 * Tailwind reads these utilities when it builds the style sheet and makes one of each group. Written into the markup
 * they would be sent with every page of a list, and with its script, which is near its limit of bytes.
 */

const TABLE = cx(
  "w-full table-fixed border-separate border-spacing-0 border border-line border-t-2 border-t-ink bg-sheet",
  "text-[0.875rem]/[1.35] max-table:block print:border-0",
);

/** Stays in view while the rows scroll below it; where there is no table, only screen readers meet it. */
const HEAD = cx(
  "max-table:sr-only [&_a]:text-inherit",
  "*:*:sticky *:*:top-0 *:*:z-3 *:*:border-line-strong *:*:border-b *:*:bg-sheet print:*:*:static",
  "*:*:px-2 *:*:py-[0.4rem] *:*:first:pl-3",
  "*:*:whitespace-nowrap *:*:text-left *:*:font-semibold *:*:text-ink-2 *:*:text-xs",
);

const ROWS = cx(
  "max-table:block",

  // A row. Its margin keeps what is scrolled to clear of the head, or of the header of the page.
  "*:relative *:scroll-mt-12 max-table:*:scroll-mt-20",
  "*:hover:bg-[color-mix(in_oklab,var(--color-brand-tint)_45%,transparent)]",
  "row-changed:bg-canary-sheet *:has-[[type=checkbox]:checked]:bg-brand-tint",
  "max-table:*:grid max-table:*:border-line max-table:*:border-b max-table:*:px-[0.9rem]",

  // A cell.
  "*:*:h-[3.1rem] *:*:truncate *:*:border-line *:*:border-b *:*:px-2 *:*:py-[0.3rem] *:*:first:pl-3",
  "*:*:text-left *:*:align-middle *:*:font-normal *:last:*:border-b-0",
  "max-table:*:*:block max-table:*:*:h-auto max-table:*:*:w-auto max-table:*:*:border-0 max-table:*:*:p-0!",

  // The link of the name covers the row, which shows its focus; what can be pressed besides stands above it.
  "[&_th_a]:block [&_th_a]:truncate [&_th_a]:font-semibold [&_th_a]:text-ink [&_th_a]:leading-[1.4rem]",
  "[&_th_a]:after:absolute [&_th_a]:after:inset-0",
  "[&_th_a]:no-underline [&_th_a]:hover:underline [&_th_a]:hover:decoration-auto",
  "*:has-[th_a:focus-visible]:-outline-offset-3 *:has-[th_a:focus-visible]:[outline:3px_solid_var(--color-focus)]",
  "row-control:relative row-control:z-1 row-control:focus-visible:-outline-offset-2 [&_th_a]:focus-visible:outline-0",
  "print:[&_[type=checkbox]]:hidden! [&_[type=checkbox]]:block [&_[type=checkbox]]:size-6 max-md:[&_td_a]:min-h-6",

  // The second line of a cell: a number below the name, words that say what is due.
  "[&_small]:block [&_small]:overflow-hidden [&_small]:text-ellipsis [&_small]:text-ink-3 [&_small]:text-xs",
  // Of what is due no word is cut.
  "[&_time+small]:whitespace-normal",
  "max-md:[&_small]:inline [&_th_small]:flex-none [&_th_small]:font-medium [&_th_small]:font-mono",
  "[&_[data-late]]:font-semibold [&_[data-late]]:text-danger [&_[data-late]]:before:mr-[0.4rem]",
  "[&_[data-late]]:before:inline-block [&_[data-late]]:before:size-2 [&_[data-late]]:before:bg-current",
  "[&_[data-late]]:before:forced-color-adjust-none",

  // Initials of the person who has it; dashed while no one does.
  "[&_[role=img]]:mr-[0.4rem] [&_[role=img]]:inline-grid [&_[role=img]]:size-[1.6rem] [&_[role=img]]:place-items-center",
  "[&_[role=img]]:rounded-[50%] [&_[role=img]]:border [&_[role=img]]:border-line-strong [&_[role=img]]:align-middle",
  "[&_[role=img]]:bg-sunken [&_[role=img]]:font-semibold [&_[role=img]]:text-[0.75rem] [&_[role=img]]:text-ink-2",
  "[&_[role=img]]:empty:border-dashed [&_[role=img]]:empty:bg-transparent",

  // A choice, with the glyph of its state before it. The list names the tones.
  "row-state:tone-open row-state:relative row-state:before:absolute row-state:before:z-2",
  "row-state:before:top-[calc(50%-0.5rem)] row-state:before:left-4 row-state:before:size-4",
  "row-state:before:pointer-events-none row-state:before:bg-(--dot) row-state:before:[mask:var(--glyph)]",
  "row-state:before:forced-color-adjust-none forced-colors:row-state:before:bg-[CanvasText]",
  "[&_select]:min-h-8 [&_select]:w-30 [&_select]:py-[0.1rem] [&_select]:pr-[1.3rem] [&_select]:pl-[1.8rem]",
  "[&_select]:rounded-2 [&_select]:border [&_select]:border-transparent [&_select]:hover:border-control",
  "[&_select]:appearance-none [&_select]:bg-(--tint) [&_select]:bg-chevron [&_select]:bg-no-repeat",
  "[&_select]:text-(color:--tone) [&_select]:bg-position-[right_0.25rem_center] [&_select]:bg-size-[1.05rem]",
  "[&_select]:align-middle [&_select]:font-semibold [&_select]:text-xs max-md:[&_select]:min-h-11",
  "[&_[data-plain]]:border-control [&_[data-plain]]:bg-sheet [&_[data-plain]]:pl-2 [&_[data-plain]]:font-normal",
  "[&_[data-plain]]:text-ink print:[&_select]:border-0! print:[&_select]:bg-none! print:[&_select]:bg-transparent!",
  "print:[&_select]:pr-0!",

  // The button that saves the choice has its place at all times, and shows once there is something to save. The place
  // is as wide as "Saving…" in the widest of the fonts that stand in for ours.
  "[&_button]:ml-[0.3rem] [&_button]:min-h-8 [&_button]:w-[3.75rem] [&_button]:cursor-pointer [&_button]:p-0",
  "[&_button]:rounded-2 [&_button]:border-[1.5px] [&_button]:border-action [&_button]:bg-action",
  "[&_button]:align-middle [&_button]:font-semibold [&_button]:text-on-action [&_button]:text-xs",
  "[&_button]:aria-disabled:cursor-progress [&_button]:aria-disabled:opacity-75 max-md:[&_button]:min-h-11",
  "print:[&_button]:hidden! row-idle-save:invisible",

  // What stands in the place of the button once the choice is saved, until the next one. The button keeps the focus.
  "[&_i]:pointer-events-none [&_i]:relative [&_i]:z-2 [&_i]:-ml-[3.75rem] [&_i]:inline-block [&_i]:w-[3.75rem]",
  "[&_i]:self-center [&_i]:text-center [&_i]:align-middle [&_i]:font-semibold [&_i]:text-success [&_i]:text-xs [&_i]:not-italic",
  "max-md:[&_button:not(:focus)+i]:ml-[0.3rem] row-changed:[&_i]:hidden",
  "row-saved-save:border-transparent row-saved-save:bg-transparent row-saved-save:text-transparent",
  "row-saved-save:forced-color-adjust-none",
);

export default looks({ "list-table": TABLE, "list-head": HEAD, "list-rows": ROWS });
