import { Bar, BarChart, CartesianGrid, Cell, LabelList, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { counted } from "./labels";
import type { NamedMonth } from "./model";

/**
 * Draws what was created and resolved each month, with the numbers of a month where the pointer is. Loaded by browsers
 * only, after the page: the drawing it replaces, and the table beside it, have the same numbers.
 */
export default function TrendChart({ months, aspect }: { months: readonly NamedMonth[]; aspect: number }) {
  return (
    <ResponsiveContainer width="100%" aspect={aspect}>
      <BarChart
        data={[...months]}
        accessibilityLayer={false}
        barGap={2}
        margin={{ top: 20, right: 0, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="label" interval={0} tickLine={false} stroke="var(--color-ink-2)" fontSize={12} />
        <YAxis
          width={36}
          allowDecimals={false}
          axisLine={false}
          tickLine={false}
          stroke="var(--color-ink-2)"
          fontSize={12}
        />
        <Tooltip cursor={{ fill: "var(--color-brand-tint)" }} isAnimationActive={false} content={MonthTooltip} />
        <Bar dataKey="created" fill="var(--color-brand)" isAnimationActive={false}>
          {paleOutsideRange(months)}
          <LabelList dataKey="created" position="top" fill="var(--color-ink)" fontSize={12} />
        </Bar>
        <Bar dataKey="resolved" fill="url(#hatched)" isAnimationActive={false}>
          {paleOutsideRange(months)}
          <LabelList dataKey="resolved" position="top" fill="var(--color-ink)" fontSize={12} />
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}

const paleOutsideRange = (months: readonly NamedMonth[]) =>
  months.map(({ from, isInRange }) => <Cell key={from} fillOpacity={isInRange ? 1 : 0.45} />);

function MonthTooltip({ active, payload }: { active?: boolean; payload?: readonly { payload?: NamedMonth }[] }) {
  const month = payload?.[0]?.payload;
  if (!active || !month) return null;
  return (
    <div className="rounded-2 border border-line bg-raised px-3 py-2 text-ink text-sm shadow-md">
      <b>{month.label}</b>
      <div>{counted(month.created, "ticket")} created</div>
      <div>{counted(month.resolved, "ticket")} resolved</div>
      <div>{counted(month.openAtEnd, "ticket")} open at the end</div>
    </div>
  );
}
