import { Link } from "~/ui/link";

type LinkListProps = { items: readonly { to: string; label: string; text: string }[] };

/** Links with a line about each, one a row. */
export function LinkList({ items }: LinkListProps) {
  return (
    <ul>
      {items.map(({ to, label, text }) => (
        <li
          key={to}
          className="grid grid-cols-[minmax(0,2fr)_minmax(0,5fr)] gap-x-8 gap-y-1 border-line-strong not-first:border-t py-[0.8rem] first:pt-0 max-md:grid-cols-1"
        >
          <Link className="font-semibold" to={to}>
            {label}
          </Link>{" "}
          <span className="text-ink-2">{text}</span>
        </li>
      ))}
    </ul>
  );
}
