import type { TestContext } from "./context";

/** The mails that have left to an address, oldest first. Work after the response is waited for. */
export async function mailsTo(ctx: TestContext, email: string) {
  await ctx.settle();
  return ctx.sent.filter((mail) => mail.to === email);
}

/** The path of the first link of a mail to that address of ours, with its token. */
export function linkIn(mail: { text: string } | undefined, path: string): string {
  const link = mail?.text.match(/http:\/\/localhost:8787(\/\S+)/g)?.find((href) => new URL(href).pathname === path);
  if (!link) throw new Error(`The mail has no link to ${path}`);
  return link.slice("http://localhost:8787".length);
}

/** What the link carries. */
export const tokenIn = (link: string): string => new URL(link, "http://localhost:8787").searchParams.get("token") ?? "";
