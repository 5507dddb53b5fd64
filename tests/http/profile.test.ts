import { expect, test, vi } from "vitest";
import { loader } from "~/routes/_account.profile._index";
import { derive, testContext } from "../support/context";
import { makePerson, signedInAs } from "../support/factories";
import { args, get } from "../support/requests";

test("a profile that cannot be read says so, with 503, and leaves out what it does not know", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx, { withPassword: true });
  const open = async (signedIn: typeof ctx) => {
    const response = (await loader(args(signedIn, get("/profile")))) as Response;
    return { status: response.status, headers: response.headers, page: await response.json() };
  };
  const signedIn = derive(ctx, { signedIn: signedInAs(person, ctx.now()) });
  expect(await open(signedIn)).toMatchObject({
    status: 200,
    page: { email: person.email, state: { pendingEmail: null, codesLeft: 0 } },
  });
  const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: overloaded"));
  const db = new Proxy(ctx.db, { get: (whole, key) => (key === "get" ? away : Reflect.get(whole, key)) });
  const broken = derive(signedIn, { db, log: () => undefined });
  const failed = await open(broken);
  expect(failed).toMatchObject({ status: 503, page: { email: person.email, state: null } });
  expect(failed.headers.get("Retry-After")).toBe("5");
});
