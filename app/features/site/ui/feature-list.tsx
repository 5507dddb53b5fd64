import { Check } from "lucide-react";
import type { Feature } from "~/content/services";
import { cx } from "~/ui/cx";
import { Icon } from "~/ui/icon";

type FeatureBlocksProps = {
  features: readonly Feature[];
  /** In two columns where there is room. */
  pairs?: boolean;
};

/** Titled blocks, separated by hairlines. */
export function FeatureBlocks({ features, pairs }: FeatureBlocksProps) {
  return (
    <div className={pairs ? "grid grid-cols-2 gap-x-[clamp(2rem,4vw,4rem)] max-md:grid-cols-1" : undefined}>
      {features.map(({ title, text }) => (
        <div
          key={title}
          className={cx(
            "border-line-strong not-first:border-t pt-[1.35rem] pb-6 first:pt-0",
            pairs && "md:nth-2:border-t-0 md:nth-2:pt-0",
          )}
        >
          <h3>{title}</h3>
          <p className="mt-[0.4rem] text-ink-2">{text}</p>
        </div>
      ))}
    </div>
  );
}

/** Short points, one tick each: done, nothing more. */
export function TickList({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item} className="flex max-w-[66ch] gap-3 py-2 first:pt-0">
          <Icon of={Check} className="mt-[0.25em] text-brand" />
          <span>{item}</span>
        </li>
      ))}
    </ul>
  );
}
