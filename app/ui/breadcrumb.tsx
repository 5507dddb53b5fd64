import { Link } from "./link";

type Crumb = { label: string; to?: string };

/** The way up. The last entry is the page itself and no link. */
export function Breadcrumb({ items }: { items: readonly Crumb[] }) {
  return (
    <nav className="crumb" aria-label="Breadcrumb">
      <ol>
        {items.map(({ label, to }) => (
          <li key={label}>{to ? <Link to={to}>{label}</Link> : <span aria-current="page">{label}</span>}</li>
        ))}
      </ol>
    </nav>
  );
}
