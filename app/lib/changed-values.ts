type Values = Record<string, string | null | undefined>;

/** Holds what a page stated of the values of its form when it was rendered; undefined: nothing. */
export type FormerValues = Record<string, string | null | undefined>;

type Posted = { values: Values; had: FormerValues };

/**
 * Returns the values of a form that its sender has changed, so that what a colleague changed meanwhile stays. `last`:
 * what was posted before with the form's token, as JSON; null: nothing. A page that states now what it stated then
 * could not be read again, and its reader goes on from what they chose on it. Where the same arrives again, and what it
 * sets is what the page began with, all of it counts.
 */
export function changedValues<Chosen extends Values>(
  posted: { values: Chosen; had: FormerValues },
  last: string | null,
): Partial<Chosen> {
  const { values, had } = posted;
  const isRepeated = last === JSON.stringify(posted);
  const former = last === null || isRepeated ? null : (JSON.parse(last) as Posted);
  const seen = (name: string) => {
    const isUnread = had[name] !== undefined && former?.had[name] === had[name];
    return isUnread && name in former.values ? former.values[name] : had[name];
  };
  const stated = Object.entries(values).filter(([, value]) => value !== undefined);
  const changed = stated.filter(([name, value]) => value !== seen(name));
  return Object.fromEntries(isRepeated && changed.length === 0 ? stated : changed) as Partial<Chosen>;
}
