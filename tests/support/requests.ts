import type { ValidationError } from "~/lib/form";
import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { derive, type TestContext } from "./context";

const ORIGIN = "http://localhost:8787";

/** Holds the fields of a form; several values, of one name. */
export type Fields = Record<string, string | readonly string[]>;

/** Returns what tells a form from all others, as the token on its page does. */
export const newForm = (): string => crypto.randomUUID();

/** Builds a form post, as a browser without scripts sends it. */
export function post(path: string, fields: Fields): Request {
  const values = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new Request(ORIGIN + path, { method: "POST", body: new URLSearchParams(values) });
}

/** Builds a multipart post with files, in the order in which a browser sends them: after the fields. */
export function postFiles(path: string, fields: Record<string, string>, files: File[], field = "files"): Request {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const file of files) body.append(field, file);
  return new Request(ORIGIN + path, { method: "POST", body });
}

/** Builds a multipart post with at most one file. */
export const postMultipart = (
  path: string,
  fields: Record<string, string>,
  file?: { field: string; name: string; bytes: BlobPart },
): Request => postFiles(path, fields, file ? [new File([file.bytes], file.name)] : [], file?.field);

/** Returns the arguments of a loader or action. */
export const args = (context: Ctx, request: Request, params: Record<string, string> = {}) => ({
  context: derive(context, {
    request: { ...context.request, url: new URL(request.url), method: request.method },
  }),
  request,
  params,
});

export const get = (path: string): Request => new Request(ORIGIN + path);

/** Returns a token that is older than the minimum time to fill in a form. */
export function agedToken(ctx: TestContext, purpose: string): string {
  const token = issueFormToken(ctx, purpose);
  ctx.clock.advance(seconds(3));
  return token;
}

/** Returns what a rejected form answers. */
export const errorOf = async (response: Response) => (await response.json()) as ValidationError;

/** Returns the response that a guard or `orNotFound` threw. Fails when nothing or something else was thrown. */
export async function thrownBy(work: Promise<unknown>): Promise<Response> {
  const outcome = await work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );
  if (outcome instanceof Response) return outcome;
  throw new Error(`Expected a response to be thrown, but: ${String(outcome)}`);
}

/** Measures what some work asks of the database. */
export async function costOf({ cost }: TestContext, work: () => Promise<unknown>) {
  const before = { ...cost };
  await work();
  return { trips: cost.trips - before.trips, rows: cost.rowsRead - before.rowsRead };
}
