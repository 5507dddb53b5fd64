/** Returns the client's IP address, from the header that Cloudflare sets. X-Forwarded-* headers can be faked. */
export const clientAddress = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "127.0.0.1";

/** Returns the network that rate limits count by: an IPv4 address itself, the first 64 bits of an IPv6 address. */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail = ""] = ip.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const tailGroups = tail.split(":").filter(Boolean);
  while (ip.includes("::") && groups.length + tailGroups.length < 8) groups.push("0");
  return `${[...groups, ...tailGroups]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
