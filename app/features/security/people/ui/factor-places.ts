import { rowsOf } from "../../../../ui/styles/looks";

/** Says where the cells of a row stand if it is no line of a table. */
export default rowsOf(
  "mfa-people",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:role] *:*:nth-3:[grid-area:mfa] *:*:nth-4:[grid-area:used]",
  "*:*:nth-5:[grid-area:codes] *:*:nth-6:[grid-area:open]",
  "max-table:*:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:py-[0.55rem] max-table:*:[grid-template-areas:'name_role_used_open'_'name_mfa_codes_open']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-1",
  "max-lines:*:[grid-template-areas:'name_name'_'role_mfa'_'used_codes'_'open_open']",
  "max-md:[&_th>small]:block! max-lines:*:*:empty:hidden [&_th>small]:font-sans!",
  "max-table:*:*:nth-3:before:content-['MFA_'] max-table:*:*:nth-4:not-empty:before:content-['Last_used_']",
  "max-table:*:*:nth-5:not-empty:after:content-['_codes_left']",
  "print:*:*:nth-6:hidden",
);
