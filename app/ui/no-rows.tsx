import { LinkButton } from "./button";
import { EmptyState } from "./empty-state";
import { FilterChips } from "./filter-chips";

type Message = { title: string; body: string };

type NoRowsProps = {
  /** The message of a list without any rows. */
  empty: Message;
  /** The message if no row matches the filter. */
  noMatch: Message;
  /** The filters that are set, each with the address of the list without it. */
  chips: readonly { label: string; to: string }[];
  /** Address of the unfiltered list if a filter is set, otherwise `null`. */
  clearTo: string | null;
};

/** Replaces the rows of a list if there are none: repeats the filters, each of which can be dropped. */
export function NoRows({ empty, noMatch, chips, clearTo }: NoRowsProps) {
  if (clearTo === null) return <EmptyState {...empty} />;
  return (
    <EmptyState
      {...noMatch}
      action={
        <>
          {chips.length > 0 ? (
            <p className="flex flex-wrap items-center gap-2">
              <FilterChips chips={chips} />
            </p>
          ) : null}
          <LinkButton variant="quiet" to={clearTo}>
            Clear filters
          </LinkButton>
        </>
      }
    />
  );
}
