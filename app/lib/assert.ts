/** Ends a switch over a union, so that a new member without a case does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}

/** Throws when a condition that the types cannot express is false. Only for bugs, never for what a person typed. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
