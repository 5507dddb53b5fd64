import { monthlyLetter } from "~/content/exhibits";
import { cx } from "~/ui/cx";
import { Exhibit, type ExhibitWidth } from "./exhibit";

/** Shows what a monthly letter says, the missed promise included. */
export function MonthlyLetter({ width }: { width: ExhibitWidth }) {
  const { title, verdict, facts, note } = monthlyLetter;
  return (
    <Exhibit id="letter" title={title} width={width} note={note}>
      <p className="font-semibold text-[1.125rem]/[1.35]">{verdict}</p>
      <dl
        className={cx(
          "grid gap-x-8 gap-y-[0.35rem] *:flex *:justify-between *:gap-4 *:border-line *:border-b *:pb-[0.35rem] [&_dd]:text-right [&_dt]:text-ink-2",
          width === "full" && "@min-[38rem]:grid-cols-2",
        )}
      >
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Exhibit>
  );
}
