import { rowsOf } from "../../../../ui/styles/looks";
import { PERSON_PLACES } from "../../ui/person-places";

/** Says where the cells of a row stand if it is no line of a table. */
export default rowsOf(
  "team",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:role] *:*:nth-3:[grid-area:status] *:*:nth-4:[grid-area:time]",
  "*:*:nth-3:whitespace-normal *:*:nth-5:[grid-area:open]",
  "max-table:*:grid-cols-[minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-4 max-table:*:gap-y-1",
  "max-table:*:py-[0.6rem] max-table:*:[grid-template-areas:'name_role'_'status_time'_'open_open']",
  "max-md:*:[grid-template-areas:'name_name'_'status_time'_'role_role'_'open_open']",
  "max-md:row-idle-save:hidden max-md:*:*:nth-2:flex max-md:[&_select]:flex-1",
  "*:*:nth-5:[&>button]:mr-2 *:*:nth-5:[&>button]:ml-0 *:*:nth-5:[&>button]:w-auto *:*:nth-5:[&>button]:px-2",
  "*:*:nth-5:[&>button]:border-control *:*:nth-5:[&>button]:bg-sheet *:*:nth-5:[&>button]:text-ink",
  PERSON_PLACES,
  "max-md:[&_small]:block!",
  "print:*:*:nth-5:hidden",
);
