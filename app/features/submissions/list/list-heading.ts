import { LIST_HEADINGS } from "../copy";
import type { ListFilter } from "./list-filter";

/** What the list is called, by the first thing that narrows it. */
export const listHeading = ({ view, status, recent }: ListFilter): string =>
  LIST_HEADINGS[view ?? (recent ? "recent" : (status ?? "all"))];
