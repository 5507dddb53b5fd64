import { rowsOf } from "../../../../ui/styles/looks";
import { PERSON_PLACES } from "../../ui/person-places";

/** Says where the cells of a row stand if it is no line of a table. */
export default rowsOf(
  "members",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:organization] *:*:nth-3:[grid-area:role]",
  "*:*:nth-4:[grid-area:status] *:*:nth-5:[grid-area:time] *:*:nth-6:[grid-area:open]",
  "max-table:*:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_auto_auto] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:gap-y-1 max-table:*:py-[0.55rem]",
  "max-table:*:[grid-template-areas:'name_organization_role_open'_'name_time_status_open']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto]",
  "max-lines:*:[grid-template-areas:'name_open'_'organization_time'_'role_status']",
  "max-md:*:[grid-template-areas:'name_name'_'organization_organization'_'time_open'_'role_role'_'status_status']",
  "max-md:row-idle-save:hidden max-md:*:*:nth-3:flex max-md:*:*:nth-4:flex max-md:*:*:nth-4:gap-x-2 max-md:[&_select]:flex-1",
  // Where the table is narrow, the button that saves stands below its choice: the addresses need the room.
  "*:*:nth-2:whitespace-normal max-[85rem]:*:*:nth-3:whitespace-normal max-[85rem]:*:*:nth-6:whitespace-normal max-[85rem]:*:*:nth-6:[&>button]:my-[0.1rem]",
  PERSON_PLACES,
  "max-md:[&_th>small]:block! *:*:nth-4:whitespace-normal",
  "*:*:nth-6:[&>button]:mr-2 *:*:nth-6:[&>button]:ml-0 *:*:nth-6:[&>button]:w-auto *:*:nth-6:[&>button]:px-2",
  "*:*:nth-6:[&>button]:border-control *:*:nth-6:[&>button]:bg-sheet *:*:nth-6:[&>button]:text-ink",
  "print:*:*:nth-6:hidden",
);
