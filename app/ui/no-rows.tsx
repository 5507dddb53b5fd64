import { LinkButton } from "./button";
import { EmptyState } from "./empty-state";

type Message = { title: string; body: string };

type NoRowsProps = {
  /** What a list says that has no rows at all. */
  empty: Message;
  /** What it says when its filter leaves none. */
  noMatch: Message;
  /** The address of the whole list while a filter is on; `null` while none is. */
  clearTo: string | null;
};

/** Stands in place of the rows where there are none, and leads out of a filter that has left none. */
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
