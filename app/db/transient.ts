/** Matches the messages of D1 that mean: the connection broke, the outcome is unknown, try again. */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/;

/** Returns the message of an error and of its cause: drizzle puts D1's message into the cause. */
export const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : "";
  return error instanceof Error ? error.message + cause : String(error);
};

/** Tells whether an error of the database may be over at the next attempt. */
export const isTransient = (error: unknown): boolean => TRANSIENT.test(messageOf(error));

/** Tells whether one statement of a batch is wrong, so that the other statements and the database are fine. */
export const isStatementError = (error: unknown): boolean => /SQLITE_ERROR/.test(messageOf(error));
