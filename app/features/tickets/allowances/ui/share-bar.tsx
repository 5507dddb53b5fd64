/**
 * Draws how much of a whole something is, as the words beside it say. Browsers paint a meter green, as if more were
 * better.
 */
export const ShareBar = ({ value, max }: { value: number; max: number }) => (
  <meter
    className="block h-2 w-full [&::-moz-meter-bar]:bg-brand [&::-moz-meter-bar]:bg-none [&::-webkit-meter-optimum-value]:bg-brand"
    aria-hidden="true"
    max={max}
    value={value}
  />
);
