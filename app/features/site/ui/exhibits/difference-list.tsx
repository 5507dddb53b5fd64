import type { Difference } from "~/content/why-us";
import { Icon } from "~/ui/icon";
import { CheckCheck } from "~/ui/icons";
import { Link } from "~/ui/link";

/** Lists what is different, each with the link to what proves it. */
export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  return (
    <ol className="grid gap-x-[clamp(2rem,4vw,4rem)] gap-y-7 md:grid-cols-2">
      {differences.map(({ title, text, proof }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="mt-[0.4rem] max-w-[46ch] text-ink-2">{text}</p>
          <p className="mt-2 flex items-start gap-[0.45rem] text-sm">
            <Icon of={CheckCheck} className="mt-[0.2em] text-brand" />
            <Link to={proof.path}>{proof.label}</Link>
          </p>
        </li>
      ))}
    </ol>
  );
}
