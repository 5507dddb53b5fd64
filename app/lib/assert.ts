/** Ends a switch over a union: a new member that nobody handled does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}

/** States a fact the types cannot; throws when the program is wrong, never because of what a person typed. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
