import { rowsOf } from "../../../../ui/styles/looks";

/** Says where the cells of a row stand if it is no line of a table. */
export default rowsOf(
  "letters",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:promises] *:*:nth-3:[grid-area:state]",
  "max-table:*:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)_auto] max-table:*:items-center max-table:*:gap-x-4",
  "max-table:*:py-[0.55rem] max-table:*:[grid-template-areas:'name_promises_state']",
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-1",
  "max-lines:*:[grid-template-areas:'name_name'_'promises_state']",
);
