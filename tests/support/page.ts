import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { args, type Fields, get, post } from "./requests";

type Half = (input: ReturnType<typeof args>) => Promise<unknown>;
type Data<Loader extends Half> = Awaited<ReturnType<Loader>> extends { json: () => Promise<infer Json> } ? Json : never;

/** Reads what stands in the place of the parameters of an address, `/admin/users/:userId`. */
const paramsIn = (address: string, path: string): Record<string, string> => {
  const parts = path.split(/[?#]/)[0]?.split("/") ?? [];
  const named = address
    .split("/")
    .flatMap((name, at) => (name.startsWith(":") ? [[name.slice(1), parts[at] ?? ""]] : []));
  return Object.fromEntries(named.map(([name, value]) => [name, decodeURIComponent(value ?? "")]));
};

const missing = () => Promise.reject(new Error("The route has no such half"));

/** Returns how people use the page of a route: they open it, read what it shows, and send its forms. */
export function pageAt<Loader extends Half, Action extends Half>(
  address: string,
  { loader = missing as never, action = missing as never }: { loader?: Loader; action?: Action },
) {
  const open = (ctx: Ctx, path = address) =>
    loader(args(ctx, get(path), paramsIn(address, path))) as ReturnType<Loader>;
  const postTo = (ctx: Ctx, path: string, fields: Fields) =>
    action(args(ctx, post(path, fields), paramsIn(address, path))) as ReturnType<Action>;
  return {
    open,
    read: async (ctx: Ctx, path = address) =>
      ((await open(ctx, path)) as unknown as { json: () => Promise<Data<Loader>> }).json(),
    post: postTo,
    /** Sends a form with a token of its purpose, unless the fields bring another one. */
    send: (ctx: Ctx, path: string, purpose: string, fields: Fields = {}) =>
      postTo(ctx, path, { form_token: issueFormToken(ctx, purpose), ...fields }),
  };
}
