/** Messages of D1 that mean "the connection broke, the outcome is unknown, try again". */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/;

/** The message of an error and of its cause: drizzle puts D1's own words into the cause. */
export const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : "";
  return error instanceof Error ? error.message + cause : String(error);
};

export const isTransient = (error: unknown): boolean => TRANSIENT.test(messageOf(error));

/** One statement of a batch could not be carried out: the others are fine, and so is the database. */
export const isStatementAtFault = (error: unknown): boolean => /SQLITE_ERROR/.test(messageOf(error));
