import { cx } from "./cx";
import { Link } from "./link";
import { type Tone, ToneIcon } from "./status-pill";
import { VisuallyHidden } from "./text";

type Count = {
  label: string;
  value: number | string | null;
  note?: string;
  to?: string;
  tone?: Tone;
  current?: boolean;
};

const CARD = cx("grid h-full content-start gap-[0.2rem] bg-sheet px-4 pt-3 pb-[0.85rem] text-ink");

/** The longest label of six, with its glyph, fits on one line. */
const COLUMNS: Readonly<Record<number, string>> = {
  3: "grid-cols-3",
  6: "@narrow:grid-cols-3 @wide:grid-cols-6 grid-cols-2",
};

export function StatCards({ label, items }: { label: string; items: readonly Count[] }) {
  return (
    <nav className="@container" aria-label={label}>
      <ul
        className={cx(
          "grid gap-px rounded-b-3 border border-line border-t-2 border-t-ink bg-line",
          COLUMNS[items.length] ?? "@min-[35rem]:grid-cols-4 grid-cols-2",
          // A phone with large text.
          "@max-[13rem]:grid-cols-1",
        )}
      >
        {items.map((item) => (
          <li key={item.label}>
            {item.to ? (
              <Link
                className={cx(CARD, "current:edge-b no-underline hover:bg-brand-tint")}
                to={item.to}
                aria-current={item.current ? "page" : undefined}
              >
                <Figure {...item} />
              </Link>
            ) : (
              <div className={CARD}>
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
      <b className="wrap-anywhere font-bold text-[1.625rem]/[1] tracking-[-0.02em]">
        {value === null ? <Unavailable /> : value.toLocaleString("en-US")}
      </b>
      <span className="flex items-center gap-[0.4rem] text-ink-2">
        {tone ? <ToneIcon tone={tone} /> : null}
        {label}
      </span>
      {note ? <small className="text-ink-3 text-xs">{note}</small> : null}
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
