import { type Tone, ToneIcon } from "./badge";
import { cx } from "./cx";
import { Link } from "./link";
import { VisuallyHidden } from "./visually-hidden";

type Count = {
  label: string;
  /** `null` when it could not be read. */
  value: number | string | null;
  note?: string;
  to?: string;
  tone?: Tone;
  current?: boolean;
};

/** Figures of one kind on one sheet; those with an address are links to the rows behind them. */
export function StatCards({ label, items }: { label: string; items: readonly Count[] }) {
  return (
    <nav aria-label={label}>
      <ul className="tally">
        {items.map((item) => (
          <li key={item.label} className={cx(item.tone)}>
            {item.to ? (
              <Link to={item.to} aria-current={item.current ? "page" : undefined}>
                <Figure {...item} />
              </Link>
            ) : (
              <div className="cell">
                <Figure {...item} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Figure({ label, value, note, tone }: Count) {
  return (
    <>
      <b>{value === null ? <Unavailable /> : value.toLocaleString("en-US")}</b>
      <span className="what">
        {tone ? <ToneIcon tone={tone} /> : null}
        {label}
      </span>
      {note ? <small>{note}</small> : null}
    </>
  );
}

function Unavailable() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>not available</VisuallyHidden>
    </>
  );
}
