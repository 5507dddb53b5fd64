import { Link } from "~/ui/link";

type LinkListProps = { items: readonly { to: string; label: string; text: string }[] };

/** Lists links with a line about each, one a row. */
export function LinkList({ items }: LinkListProps) {
  return (
    <ul className="*:grid *:grid-cols-[minmax(0,2fr)_minmax(0,5fr)] *:gap-x-8 *:gap-y-1 *:border-line-strong *:not-first:border-t *:py-[0.8rem] *:first:pt-0 max-md:*:grid-cols-1 [&_a]:font-semibold [&_span]:text-ink-2">
      {items.map(({ to, label, text }) => (
        <li key={to}>
          <Link to={to}>{label}</Link> <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
