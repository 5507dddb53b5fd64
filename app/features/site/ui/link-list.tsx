import { Link } from "~/ui/link";

type LinkListProps = { items: readonly { to: string; label: string; text: string }[] };

/** Links with a line about each, one a row. */
export function LinkList({ items }: LinkListProps) {
  return (
    <ul className="also-list">
      {items.map(({ to, label, text }) => (
        <li key={to}>
          <Link to={to}>{label}</Link> <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
