import { rowsOf } from "../../../../ui/styles/looks";

/**
 * Says where the cells of a row stand if it is no line of a table, and which tone each status has. `nth-1:` is the
 * first cell, and so on, in the order of the columns.
 */
export default rowsOf(
  "tickets",
  "*:*:nth-1:[grid-area:check] *:*:nth-2:[grid-area:title] *:*:nth-3:[grid-area:client] *:*:nth-4:[grid-area:priority]",
  "*:*:nth-5:[grid-area:time] *:*:nth-6:[grid-area:status] *:*:nth-7:[grid-area:assignee]",

  // Two lines.
  "max-table:*:grid-cols-[auto_minmax(0,1.3fr)_minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-3",
  "max-table:*:[grid-template-areas:'check_title_client_status'_'check_title_priority_assignee'_'check_title_time_assignee']",
  "max-table:*:gap-y-0 max-table:*:py-[0.45rem] max-table:*:*:nth-6:before:left-2!",
  // What a cell says besides stands on its line, with a point before it; what is late has a square there. The person
  // stands below the organization where both have half a row.
  "max-table:*:*:nth-3:whitespace-normal max-table:*:*:nth-4:whitespace-normal max-table:*:*:nth-5:whitespace-normal",
  "max-table:[&_td>small]:inline-block max-table:[&_td>small]:overflow-visible max-lines:[&_td>small]:ml-2 max-table:[&_td:not(:nth-child(3))>small]:ml-2",
  "max-table:[&_td>small:not([data-late])]:before:content-['·_'] lines:max-table:[&_td:nth-child(3)>small]:block!",
  "lines:max-table:[&_td:nth-child(3)>small]:before:content-none!",

  // A card.
  "max-lines:*:grid-cols-[auto_minmax(0,1fr)_auto] max-lines:*:gap-y-[0.25rem] max-lines:*:py-[0.7rem]",
  "max-lines:*:[grid-template-areas:'check_title_title'_'._client_status'_'._priority_status'_'._time_assignee']",

  // A card on a phone: what can be chosen has a line of its own, as wide as the card.
  "max-md:*:grid-cols-[auto_minmax(0,1fr)]",
  "max-md:*:[grid-template-areas:'check_title'_'._client'_'._priority'_'._time'_'._status'_'._assignee']",
  "max-md:row-idle-save:hidden max-md:*:*:nth-6:flex max-md:*:*:nth-7:flex max-md:[&_select]:flex-1",

  // The number above the title, which may take two lines, and what was written below it.
  "[&_th_a]:whitespace-normal! [&_th_a]:line-clamp-2!",
  "[&_th>small+small]:font-sans [&_th>small]:mr-2 [&_th>small]:inline [&_th>span]:block [&_th>span]:truncate [&_th>span]:text-ink-2 [&_th>span]:text-xs",
  "*:*:nth-3:[&>a]:line-clamp-2 *:*:nth-3:[&>a]:whitespace-normal max-table:*:*:nth-3:[&>a]:inline",

  // "In Progress" is the longest status.
  "[&_select]:w-33!",

  "[&_td:has([value^=in]:checked)]:tone-progress [&_td:has([value=resolved]:checked)]:tone-resolved",
  "[&_td:has([value^=waiting]:checked)]:tone-waiting [&_td:has([value=closed]:checked)]:tone-closed",

  // Paper has nothing to press.
  "print:*:*:nth-1:hidden",
);
