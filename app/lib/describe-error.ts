/**
 * Describes an error for the log: its name, the first line of its message and of its cause, without quoted values,
 * which may be personal data. Database errors have the query in their message and the reason only in their cause.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const cause = error.cause instanceof Error ? ` <- ${firstLine(error.cause)}` : "";
  return `${error.name}: ${firstLine(error).slice(0, 150)}${cause}`;
}

const firstLine = (error: Error) => (error.message.split("\n")[0] ?? "").replace(/(["'`]).*?\1/g, "…").slice(0, 200);
