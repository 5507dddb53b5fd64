import { rowsOf } from "../../../../ui/styles/looks";

/** Says where the cells of a row stand if it is no line of a table. */
export default rowsOf(
  "mfa-events",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:result] *:*:nth-3:[grid-area:action] *:*:nth-4:[grid-area:reason]",
  "*:*:nth-5:[grid-area:time] *:*:nth-6:[grid-area:ip]",
  "max-table:*:grid-cols-[minmax(0,1.4fr)_6rem_minmax(0,1fr)_minmax(0,1fr)] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:py-[0.55rem] max-table:*:[grid-template-areas:'name_result_action_time'_'name_result_reason_ip']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-1",
  "max-lines:*:[grid-template-areas:'name_name'_'action_result'_'reason_reason'_'time_ip']",
  "max-md:[&_small]:block! max-table:[&_th>small]:wrap-anywhere [&_th>small]:font-sans! max-table:[&_th>small]:whitespace-normal",
  "max-lines:*:*:nth-2:justify-self-end max-lines:*:*:nth-6:justify-self-end max-lines:*:*:nth-4:empty:hidden",
  "*:*:nth-2:[&>span]:inline-flex *:*:nth-2:[&>span]:items-center *:*:nth-2:[&>span]:gap-1",
  "*:*:nth-6:font-mono *:*:nth-6:text-xs *:*:nth-2:[&>span]:font-semibold *:*:nth-2:[&_svg]:flex-none",
);
