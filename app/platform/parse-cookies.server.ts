import { parse } from "cookie";

/** Reads the names and values of a `Cookie` header. */
export const parseCookies = (header: string): ReadonlyMap<string, string> => new Map(Object.entries(parse(header)));
