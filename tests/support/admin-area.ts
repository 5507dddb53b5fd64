import { FLASH_COOKIE } from "~/platform/flash.server";
import { derive, type TestContext, testContext } from "./context";
import { as, makePerson, together } from "./factories";

/** Creates a signed-in member of staff with a password and a second factor. */
export async function staffMember(role: "admin" | "moderator" = "admin") {
  const base = testContext();
  const person = await together(base, (ctx) => makePerson(ctx, { role, withPassword: true, withTotp: true }));
  return { base, person, ctx: as(base, person) };
}

/** Returns the context of somebody who has just proven who they are. */
export const withFreshProof = (ctx: TestContext): TestContext =>
  derive(ctx, { signedIn: ctx.signedIn && { ...ctx.signedIn, reauthAt: ctx.now() } });

/** Returns the message for the next page, as its cookie carries it. */
export function flash(ctx: TestContext): string {
  const cookie = ctx.cookiesSet.findLast((header) => header.startsWith(`${FLASH_COOKIE}=`)) ?? "";
  const [body = ""] = cookie.slice(FLASH_COOKIE.length + 1).split(".");
  const [, title, message] = JSON.parse(Buffer.from(body, "base64url").toString()) as string[];
  return `${title}: ${message}`;
}

/** Builds the request of the bulk bar's form with the selected rows. */
export function bulk(path: string, fields: Record<string, string>, rows: readonly string[]): Request {
  const body = new URLSearchParams(fields);
  for (const row of rows) body.append("row", row);
  return new Request(`http://localhost:8787${path}`, { method: "POST", body });
}
