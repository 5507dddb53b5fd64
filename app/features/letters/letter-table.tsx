import type { ReactNode } from "react";
import type { ListRead, LoadedList } from "~/lists/model";
import type { ShownRows } from "~/lists/ui/list-page";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/text";
import type { ListedLetter } from "./model";

export type LoadedLetters<Filter> = LoadedList<Filter, ListRead<ListedLetter>>;

export const letterColumns =
  (link: (letter: ListedLetter) => ReactNode) =>
  ({ sortOf, zone }: ShownRows<ListedLetter, "month">): RowColumn<ListedLetter>[] => [
    { label: "Month", header: true, sort: sortOf("month"), cell: link },
    {
      label: "Promises",
      width: "w-[12rem]",
      cell: ({ kept, missed }) => (kept + missed === 0 ? "None given" : `${kept} of ${kept + missed} kept`),
    },
    {
      label: "Released",
      width: "w-[12rem]",
      cell: ({ releasedAt: at }) =>
        at === null ? "Draft" : <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, "date")}</time>,
    },
  ];
