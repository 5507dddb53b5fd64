/** Returns the parameters that say something: those that are empty or have the value of an absent one are left out. */
export function significantParams(
  params: Iterable<readonly [name: string, value: string]>,
  defaults: Readonly<Record<string, string>> = {},
): URLSearchParams {
  return new URLSearchParams(
    [...params]
      .filter(([name, value]) => value !== "" && value !== defaults[name])
      .map(([name, value]) => [name, value]),
  );
}
