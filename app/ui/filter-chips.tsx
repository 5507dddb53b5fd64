import { Icon } from "./icon";
import { X } from "./icons";
import { Link } from "./link";
import { VisuallyHidden } from "./visually-hidden";

type Chip = { label: string; to: string };

/** Shows each filter that is set as a link that removes just this one. */
export function FilterChips({ chips }: { chips: readonly Chip[] }) {
  return chips.map(({ label, to }) => (
    <Link key={label} className="filter-chip" to={to}>
      <VisuallyHidden>Remove filter: </VisuallyHidden>
      <span className="truncate">{label}</span>
      <Icon of={X} size="1rem" />
    </Link>
  ));
}
