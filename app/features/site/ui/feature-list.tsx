import type { Feature } from "~/content/services";
import { Icon } from "~/ui/icon";
import { Check } from "~/ui/icons";

/** Shows titled blocks, separated by hairlines. */
export function FeatureBlocks({ features }: { features: readonly Feature[] }) {
  return (
    <div className="*:border-line-strong *:not-first:border-t *:pt-[1.35rem] *:pb-6 *:first:pt-0 [&_p]:mt-[0.4rem] [&_p]:text-ink-2">
      {features.map(({ title, text }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      ))}
    </div>
  );
}

/** Lists short points with one tick each. */
export function TickList({ items }: { items: readonly string[] }) {
  return (
    <ul className="*:flex *:max-w-[66ch] *:gap-3 *:py-2 *:first:pt-0 [&_svg]:mt-[0.25em] [&_svg]:text-brand">
      {items.map((item) => (
        <li key={item}>
          <Icon of={Check} />
          <span className="wrap-anywhere">{item}</span>
        </li>
      ))}
    </ul>
  );
}
