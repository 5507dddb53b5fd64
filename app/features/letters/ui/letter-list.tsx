import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/sheet";
import { Time } from "~/ui/time";
import type { ListedLetter } from "../model";

type LetterListProps = {
  title: string;
  letters: readonly ListedLetter[];
  pathOf: (id: string) => string;
  zone: string;
  /** Address of the following page; null: there is none. */
  next: string | null;
  empty: { title: string; body: string };
};

/** Lists letters, each with its month. */
export function LetterList({ title, letters, pathOf, zone, next, empty }: LetterListProps) {
  if (letters.length === 0) return <EmptyState {...empty} />;
  return (
    <Sheet id="letters" title={title} isMain>
      <SheetRows>
        {letters.map(({ id, organization, title: month, releasedAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6 gap-y-1">
            <Link to={pathOf(id)} className="wrap-anywhere">
              {organization ? `${organization}, ${month}` : month}
            </Link>
            <span className="text-ink-2">
              {releasedAt === null ? "Draft" : <Time at={releasedAt} zone={zone} mode="date" />}
            </span>
          </li>
        ))}
      </SheetRows>
      {next ? (
        <p className="border-line border-t px-4 py-2">
          <Link to={next}>Earlier letters</Link>
        </p>
      ) : null}
    </Sheet>
  );
}
