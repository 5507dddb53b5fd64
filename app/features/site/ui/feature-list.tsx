import { Check } from "lucide-react";
import type { Feature } from "~/content/services";
import { Icon } from "~/ui/icon";

/** Titled blocks under each other, separated by hairlines. */
export function FeatureBlocks({ features }: { features: readonly Feature[] }) {
  return (
    <div className="blocks">
      {features.map(({ title, text }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      ))}
    </div>
  );
}

/** Short points, one tick each: done, nothing more. */
export function TickList({ items }: { items: readonly string[] }) {
  return (
    <ul className="ticked">
      {items.map((item) => (
        <li key={item}>
          <Icon of={Check} />
          <span>{item}</span>
        </li>
      ))}
    </ul>
  );
}
