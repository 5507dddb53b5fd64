import type { TestContext } from "./context";

/** Returns the mails sent to an address, oldest first, after the work that continues after the response. */
export async function mailsTo(ctx: TestContext, email: string) {
  await ctx.settle();
  return ctx.sent.filter((mail) => mail.to === email);
}

/** Returns the first link of a mail to a path of ours, with its token. */
export function linkIn(mail: { text: string } | undefined, path: string): string {
  const link = mail?.text.match(/http:\/\/localhost:8787(\/\S+)/g)?.find((href) => new URL(href).pathname === path);
  if (!link) throw new Error(`The mail has no link to ${path}`);
  return link.slice("http://localhost:8787".length);
}

/** Returns the token of a link. */
export const tokenIn = (link: string): string => new URL(link, "http://localhost:8787").searchParams.get("token") ?? "";
