import { Link } from "./link";

type Tab = { to: string; label: string; count?: number; current: boolean };

/** Tabs that are addresses: they navigate, so they are links with a current one, not a `tablist`. */
export function LinkTabs({ label, items }: { label: string; items: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab.current ? "page" : undefined}>
          {tab.label}
          {tab.count === undefined ? null : <span className="num"> {tab.count.toLocaleString("en-US")}</span>}
        </Link>
      ))}
    </nav>
  );
}
