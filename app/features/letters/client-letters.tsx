import type { Instant } from "~/lib/time";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/page";
import { Time } from "~/ui/text";
import { LETTERS_PATH, letterPath } from "./model";

type ClientLettersProps = {
  letters: readonly { id: string; title: string; releasedAt: Instant | null }[];
  zone: string;
};

export function ClientLetters({ letters, zone }: ClientLettersProps) {
  if (letters.length === 0) return null;
  return (
    <Sheet id="letters" title="Letters" aside={<Link to={LETTERS_PATH}>All letters</Link>}>
      <SheetRows>
        {letters.map(({ id, title, releasedAt }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4">
            <Link to={letterPath(id)}>{title}</Link>
            <span className="text-ink-2 text-sm">
              {releasedAt === null ? (
                "draft"
              ) : (
                <>
                  sent <Time at={releasedAt} zone={zone} mode="date" />
                </>
              )}
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
