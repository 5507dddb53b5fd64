import { rowsOf } from "../../../../ui/styles/looks";

/** Says where the cells of a row stand if it is no line of a table. */
export default rowsOf(
  "users",
  "*:*:nth-1:[grid-area:name] *:*:nth-2:[grid-area:email] *:*:nth-3:[grid-area:role] *:*:nth-4:[grid-area:joined]",
  "*:*:nth-5:[grid-area:open]",

  // Two lines.
  "max-table:*:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)_13rem_auto]",
  "max-table:*:[grid-template-areas:'name_joined_role_open'_'email_joined_role_open']",
  "max-table:*:items-center max-table:*:gap-x-4 max-table:*:gap-y-0 max-table:*:py-[0.45rem]",
  "max-table:*:*:nth-1:flex max-table:*:*:nth-1:items-baseline max-table:*:*:nth-1:gap-2",

  // A card.
  "max-lines:*:grid-cols-[minmax(0,1fr)_auto] max-lines:*:gap-y-[0.2rem] max-lines:*:py-[0.7rem]",
  "max-lines:*:[grid-template-areas:'name_name'_'email_email'_'joined_open'_'role_role']",
  "max-md:*:*:nth-3:mt-1 max-md:*:*:nth-3:flex max-md:*:*:nth-3:items-center max-md:[&_select]:flex-1",
  "max-md:row-idle-save:hidden max-lines:*:*:nth-4:text-ink-2 max-lines:*:*:nth-4:before:content-['Joined_']",

  // An address is shown in full: it is what tells people of one name apart.
  "*:*:nth-2:whitespace-normal *:*:nth-2:[&>a]:block *:*:nth-2:[&>a]:w-fit *:*:nth-2:[&>a]:max-w-full",
  "*:*:nth-2:[&>a]:text-xs *:*:nth-2:[&>a]:leading-6",
  "*:*:nth-1:[&_small]:font-sans",
  // What is pressed beside a link says what it does in words, not by its colour.
  "*:*:nth-5:[&_button]:w-auto *:*:nth-5:[&_button]:border-control *:*:nth-5:[&_button]:bg-sheet",
  "*:*:nth-5:[&_button]:px-2 *:*:nth-5:[&_button]:text-ink",
  "print:*:*:nth-5:hidden",
);
