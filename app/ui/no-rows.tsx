import { LinkButton } from "./button";
import { EmptyState } from "./empty-state";

type Message = { title: string; body: string };

type NoRowsProps = {
  /** The message of a list without any rows. */
  empty: Message;
  /** The message if no row matches the filter. */
  noMatch: Message;
  /** Address of the unfiltered list if a filter is set, otherwise `null`. */
  clearTo: string | null;
};

/** Replaces the rows of a list if there are none, with a link that clears the filter. */
export function NoRows({ empty, noMatch, clearTo }: NoRowsProps) {
  if (clearTo === null) return <EmptyState {...empty} />;
  return (
    <EmptyState
      {...noMatch}
      action={
        <LinkButton variant="quiet" to={clearTo}>
          Clear filters
        </LinkButton>
      }
    />
  );
}
