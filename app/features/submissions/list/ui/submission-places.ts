import { rowsOf } from "../../../../ui/styles/looks";

/**
 * Says where the cells of a row stand if it is no line of a table, and which tone each status has. `nth-1:` is the
 * first cell, and so on, in the order of the columns.
 */
export default rowsOf(
  "submissions",
  "*:*:nth-1:[grid-area:check] *:*:nth-2:[grid-area:name] *:*:nth-3:[grid-area:email] *:*:nth-4:[grid-area:company]",
  "*:*:nth-5:[grid-area:phone] *:*:nth-6:[grid-area:status] *:*:nth-7:[grid-area:time] *:*:nth-8:[grid-area:open]",

  // Two lines.
  "max-table:*:grid-cols-[auto_minmax(0,1.35fr)_minmax(0,1fr)_7.8rem_auto_auto]",
  "max-table:*:[grid-template-areas:'check_name_company_time_status_open'_'check_email_phone_time_status_open']",
  "max-table:*:items-center max-table:*:gap-x-3 max-table:*:gap-y-0 max-table:*:py-[0.45rem]",
  "max-table:*:*:nth-2:flex max-table:*:*:nth-2:items-baseline max-table:*:*:nth-2:gap-2",
  "max-table:*:*:nth-6:before:left-2! lines:max-table:*:*:nth-3:[&>small]:hidden",

  // A card.
  "max-lines:*:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)_auto] max-lines:*:gap-x-[0.9rem] max-lines:*:gap-y-[0.3rem]",
  "max-lines:*:[grid-template-areas:'check_name_time_open'_'check_email_status_status'_'._company_phone_.']",
  "max-lines:*:*:nth-6:justify-self-end max-lines:*:py-[0.7rem]",

  // A card on a phone: what somebody wrote has a line of its own, and so has the choice, as wide as the card.
  "max-md:*:grid-cols-[auto_minmax(0,1fr)_minmax(0,1.2fr)_auto] max-md:*:gap-x-3 max-md:*:gap-y-[0.15rem]",
  "max-md:*:[grid-template-areas:'check_name_name_open'_'check_time_time_time'_'._company_email_email'_'._snippet_snippet_snippet'_'._status_status_status']",
  "max-md:*:*:nth-3:contents *:*:nth-3:[&>a]:[grid-area:email] *:*:nth-3:[&>small]:[grid-area:snippet]",
  "max-md:*:*:nth-5:hidden max-md:*:*:nth-7:[&>small]:ml-[0.6rem]",
  "max-md:*:*:nth-6:mt-1 max-md:*:*:nth-6:flex max-md:*:*:nth-6:justify-self-stretch max-md:[&_select]:flex-1",
  "max-md:row-idle-save:hidden",

  // Addresses and numbers are long.
  "*:*:nth-3:[&>a]:block *:*:nth-3:[&>a]:w-fit *:*:nth-3:[&>a]:max-w-full *:*:nth-3:[&>a]:truncate",
  "*:*:nth-5:text-xs *:*:nth-3:[&>a]:text-xs *:*:nth-3:[&>a]:leading-6",

  "[&_td:has([value=contacted]:checked)]:tone-progress [&_td:has([value=resolved]:checked)]:tone-resolved",

  // Paper has nothing to press.
  "print:*:*:nth-1:hidden print:*:*:nth-8:hidden",
);
