/**
 * Holds the places of cells that both lists have alike where a row is no line of a table. Addresses are shown in full.
 */
export const PERSON_PLACES =
  "max-table:*:*:nth-1:pl-9! [&_th>span]:absolute [&_th>span]:top-1/2 [&_th>span]:left-3 [&_th]:relative [&_th]:pl-11! max-table:*:*:nth-1:min-h-8 [&_th>span]:-translate-y-1/2 max-table:[&_th>span]:left-0 [&_th>small]:font-sans! *:*:nth-1:whitespace-normal!";
