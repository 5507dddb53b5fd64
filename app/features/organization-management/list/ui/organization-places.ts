import { rowsOf } from "../../../../ui/styles/looks";

/**
 * Says where the cells of a row stand if it is no line of a table. `nth-1:` is the first cell, and so on, in the order
 * of the columns.
 */
export default rowsOf(
  "organizations",
  "[&_th>small]:font-sans!",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:text] *:*:nth-3:[grid-area:plan] *:*:nth-4:[grid-area:members]",
  "*:*:nth-5:[grid-area:tickets] *:*:nth-6:[grid-area:active] *:*:nth-7:[grid-area:time] *:*:nth-8:[grid-area:open]",
  "*:*:nth-8:[&>a]:mr-2 max-md:*:*:nth-8:[&>a]:inline-grid max-md:*:*:nth-8:[&>a]:min-h-11 max-md:*:*:nth-8:[&>a]:items-center",

  // In a table the figures stand below each other, and a description may take two lines.
  "table:*:*:nth-4:text-right table:*:*:nth-5:text-right table:*:*:nth-6:text-right [&_b]:tabular-nums",
  "table:[&_b+span]:sr-only [&_b[data-some]]:font-semibold [&_b]:font-normal",
  "table:*:*:nth-2:whitespace-normal table:[&_p]:line-clamp-2 [&_p]:text-ink-2 max-table:[&_p]:truncate",

  // Two lines, or a card.
  "max-table:*:grid-cols-[auto_auto_auto_auto_minmax(0,1fr)_auto]",
  "max-table:*:[grid-template-areas:'name_name_name_name_name_open'_'text_text_text_text_text_text'_'plan_members_tickets_active_time_time']",
  "max-table:*:items-baseline max-table:*:gap-x-4 max-table:*:gap-y-1 max-table:*:py-[0.6rem]",
  "max-table:*:*:nth-7:justify-self-end max-table:*:*:nth-3:text-ink-2",
  "max-md:*:grid-cols-[auto_minmax(0,1fr)_auto]",
  "max-md:*:[grid-template-areas:'name_name_open'_'text_text_text'_'plan_members_time'_'._tickets_active']",

  // Paper has nothing to press.
  "print:*:*:nth-8:hidden",
);
