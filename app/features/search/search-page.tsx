import { SEARCH_MAX } from "~/lists/define-list";
import { countInWords } from "~/lists/model";
import { Filters } from "~/ui/filters";
import { Link } from "~/ui/link";
import { SearchField } from "~/ui/list-fields";
import { EmptyState, ErrorPanel, Page, Sheet, SheetRows } from "~/ui/page";
import { Time } from "~/ui/text";
import { NOTHING_FOUND, TRY_OTHERS } from "./labels";
import type { Hit, HitGroup, Piece } from "./model";
import type { loadSearch } from "./search.server";

type SearchPageProps = Omit<Awaited<ReturnType<typeof loadSearch>>, "jumpTo" | "retryAt"> & {
  path: string;
  hint: string;
};

export function SearchPage({ path, text, hint, groups, problem, zone }: SearchPageProps) {
  const found = groups?.filter(({ hits }) => hits.length > 0) ?? [];
  return (
    <Page title="Search" description={hint}>
      <Filters label="Everything" action={path} values={{ q: text }}>
        <SearchField label="Search for" value={text} max={SEARCH_MAX} />
      </Filters>
      {problem?.isFailure ? (
        <ErrorPanel message={problem.message} retryTo={`${path}?${new URLSearchParams({ q: text })}`} />
      ) : null}
      {problem && !problem.isFailure ? <p role="status">{problem.message}</p> : null}
      {groups && found.length === 0 ? <EmptyState title={NOTHING_FOUND} body={TRY_OTHERS} /> : null}
      {found.map((group) => (
        <GroupPanel key={group.id} group={group} zone={zone} />
      ))}
    </Page>
  );
}

function GroupPanel({ group, zone }: { group: HitGroup; zone: string }) {
  const { id, title, hits, total, listPath, noun, note } = group;
  const count = `${countInWords(total)} ${total.count === 1 && !total.more ? noun.one : noun.many}`;
  return (
    <Sheet
      id={`found-${id}`}
      title={title}
      aside={
        listPath ? (
          <Link to={listPath}>{total.count === 1 && !total.more ? `View ${noun.one}` : `See all ${count}`}</Link>
        ) : (
          <span className="text-ink-2 text-sm">{total.more ? `The newest ${hits.length}` : count}</span>
        )
      }
    >
      {note ? <p className="max-w-none px-4 pb-2 text-ink-2 text-sm">{note}</p> : null}
      <SheetRows>
        {hits.map((hit) => (
          <li key={hit.id}>
            <HitRow hit={hit} zone={zone} />
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}

function HitRow({ hit, zone }: { hit: Hit; zone: string }) {
  const { to, reference, title, reason, at, excerpt, details } = hit;
  return (
    <>
      <p className="wrap-anywhere max-w-none">
        <Link to={to}>
          {reference ? `${reference} ` : null}
          <Pieces pieces={title} />
        </Link>{" "}
        {details.length > 0 ? <span className="text-ink-2 text-sm">{details.join(" · ")}</span> : null}
      </p>
      {reason || excerpt ? (
        <p className="wrap-anywhere max-w-none text-ink-2 text-sm">
          {reason ? (
            <span className="text-ink-3">
              {reason} {at === null ? null : <Time at={at} zone={zone} mode="date" />}
              {excerpt ? ": " : null}
            </span>
          ) : null}
          {excerpt ? <Pieces pieces={excerpt} /> : null}
        </p>
      ) : null}
    </>
  );
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  let place = 0;
  return pieces.map(({ text, isMatch }) => {
    place += text.length;
    return isMatch ? (
      <mark key={place} className="rounded-1 bg-canary text-on-canary">
        {text}
      </mark>
    ) : (
      text
    );
  });
}
