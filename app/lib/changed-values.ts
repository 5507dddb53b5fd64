type Values = Record<string, string | null | undefined>;

/** Holds what a page stated of the values of its form when it was rendered; undefined: nothing. */
export type FormerValues = Record<string, string | null | undefined>;

type Posted = { values: Values; had: FormerValues };

/**
 * Returns the values of a form that its sender has changed, so that what a colleague changed meanwhile stays. `last`:
 * what was posted before with the form's token, as JSON; null: nothing. A page that states now what it stated then
 * could not be read again, and its reader goes on from what they chose on it.
 */
export function changedValues<Chosen extends Values>(
  { values, had }: { values: Chosen; had: FormerValues },
  last: string | null,
): Partial<Chosen> {
  const former = last === null ? null : (JSON.parse(last) as Posted);
  const seen = (name: string) => {
    const isUnread = had[name] !== undefined && former?.had[name] === had[name];
    return isUnread && name in former.values ? former.values[name] : had[name];
  };
  const changed = Object.entries(values).filter(([name, value]) => value !== undefined && value !== seen(name));
  return Object.fromEntries(changed) as Partial<Chosen>;
}
