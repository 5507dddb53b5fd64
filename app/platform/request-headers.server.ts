import { parse } from "cookie";

/** X-Forwarded-* headers can be faked. */
export const clientIp = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "127.0.0.1";

/** Returns the network that rate limits count by: an IPv4 address itself, the first 64 bits of an IPv6 address. */
export const networkOf = (ip: string): string => (ip.includes(":") ? `${firstGroups(ip, 4)}::/64` : ip);

export const networkPrefix = (ip: string): string =>
  ip.includes(":") ? `${firstGroups(ip, 3)}::/48` : ip.replace(/\.\d+$/, ".0/24");

function firstGroups(ip: string, count: number): string {
  const [head = "", tail = ""] = ip.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const tailGroups = tail.split(":").filter(Boolean);
  while (ip.includes("::") && groups.length + tailGroups.length < 8) groups.push("0");
  return [...groups, ...tailGroups]
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

export const parseCookies = (header: string): ReadonlyMap<string, string> => new Map(Object.entries(parse(header)));
