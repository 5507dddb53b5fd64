import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { formActions, formTokens, runFormAction, submitForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, badRequest, denied, done, invalid } from "~/platform/responses.server";
import { testSecrets } from "../../support/test-variables.mjs";

const admin: Actor = { userId: "usr_1", role: "admin", membership: null };
const technician: Actor = { ...admin, role: "moderator" };

/** Holds the inputs of the actions that ran, in order. */
let ran: unknown[];
let now: number;
let ctx: Ctx;

beforeEach(() => {
  ran = [];
  now = 1_800_000_000_000;
  ctx = {
    config: testSecrets,
    now: () => now,
    newToken: () => crypto.randomUUID().repeat(2).slice(0, 43),
    signedIn: { sessionHash: "session-1" },
    form: { isRejected: false },
  } as unknown as Ctx;
});

const run = async (_ctx: Ctx, _actor: Actor, { input, nonce }: { input: unknown; nonce: string }) => {
  ran.push({ input, hasNonce: nonce !== "" });
  return done({ to: "/done" });
};

/** Returns the problem as the result, so that tests can check it. */
const asResult = (problem: object) => invalid(problem);

const table = formActions<Actor, null, object>({ secrets: ["password"] })({
  rename: { purpose: "rename", form: z.object({ name: z.string().min(1, "Name it") }), invalid: asResult, run },
  delete: { ability: "submission.delete", purpose: "delete", invalid: asResult, run },
  export: { purpose: null, invalid: asResult, run },
});

function send(fields: Record<string, string>, actor = admin): Promise<ActionResult<object>> {
  return submitForm(ctx, table, { actor, submitted: { fields, lists: {}, files: {}, upload: null, params: null } });
}

describe("an intent", () => {
  test.each<Record<string, string>>([
    {},
    { intent: "" },
    { intent: "RENAME" },
    { intent: "constructor" },
    { intent: "__proto__" },
  ])("that no form of the page sends is a bad request: %j", async (fields) => {
    expect(await send({ ...fields, form_token: issueFormToken(ctx, "rename"), name: "New" })).toEqual(badRequest());
    expect(ran).toEqual([]);
  });

  test("that no form sends may be handled by the page itself", async () => {
    const own = formActions<Actor, null, object>({ unknownIntent: () => invalid({ unknown: true }) })({});
    const submitted = { fields: { intent: "x" }, lists: {}, files: {}, upload: null, params: null };
    expect(await submitForm(ctx, own, { actor: admin, submitted })).toEqual(invalid({ unknown: true }));
  });

  test("is not needed if the page has only one form", async () => {
    const single = formActions<Actor, null, object>({ intentField: null })({
      only: { purpose: null, invalid: asResult, run },
    });
    const submitted = { fields: { intent: "whatever" }, lists: {}, files: {}, upload: null, params: null };
    expect(await submitForm(ctx, single, { actor: admin, submitted })).toEqual(done({ to: "/done" }));
  });
});

test("an action is denied to people without its ability, even with a valid token", async () => {
  const form_token = issueFormToken(ctx, "delete");
  expect(await send({ intent: "delete", form_token }, technician)).toEqual(denied());
  expect(await send({ intent: "delete" }, technician)).toEqual(denied());
  expect(ran).toEqual([]);
  expect(await send({ intent: "delete", form_token })).toEqual(done({ to: "/done" }));
});

describe("a token", () => {
  test.each([
    ["is missing", "token_missing", () => undefined],
    ["is for another form", "token_forged", () => issueFormToken(ctx, "delete")],
    [
      "was issued in another session",
      "token_forged",
      () => issueFormToken({ ...ctx, signedIn: { ...ctx.signedIn, sessionHash: "session-2" } as never }, "rename"),
    ],
    [
      "is a day old",
      "token_expired",
      () => {
        const token = issueFormToken(ctx, "rename");
        now += hours(25);
        return token;
      },
    ],
  ])("that %s stops the form before its fields are checked", async (_, error, tokenOf) => {
    const form_token = tokenOf();
    const fields = { intent: "rename", name: "", password: "secret", ...(form_token ? { form_token } : {}) };
    const values = { intent: "rename", name: "" };
    expect(await send(fields)).toEqual(invalid({ code: "token", error, values }));
    expect(ran).toEqual([]);
  });

  test("is not checked for an action that needs none", async () => {
    expect(await send({ intent: "export" })).toEqual(done({ to: "/done" }));
    expect(ran).toEqual([{ input: undefined, hasNonce: false }]);
  });
});

test("fields are parsed for the action, and errors are returned without secret values", async () => {
  const form_token = issueFormToken(ctx, "rename");
  expect(await send({ intent: "rename", form_token, name: "", password: "secret" })).toEqual(
    invalid({ code: "fields", errors: { name: "Name it" }, values: { intent: "rename", name: "" } }),
  );
  expect(ran).toEqual([]);
  await send({ intent: "rename", form_token, name: "New", role: "admin" });
  expect(ran).toEqual([{ input: { name: "New" }, hasNonce: true }]);
});

test("tokens are issued for the forms a person may send", () => {
  const purposes = (actor: Actor) =>
    Object.entries(formTokens(ctx, actor, table)).map(([intent, token]) => [intent, token?.split(".")[2] ?? null]);
  expect(purposes(admin)).toEqual([
    ["rename", "rename"],
    ["delete", "delete"],
    ["export", null],
  ]);
  expect(purposes(technician)).toContainEqual(["delete", null]);
});

describe("a form about something that its sender does not work on any more", () => {
  const reason = { title: "Switched", text: "Switch back." };
  const aboutOne = formActions<Actor, null, object>({
    conflict: (_actor, { about }) => (about === "1" ? null : reason),
  })({
    export: { purpose: null, invalid: asResult, run },
  });
  const sendFrom = (address: string, fields: Record<string, string>) => {
    const url = new URL(address, "https://wrenfield.example");
    const request = new Request(url, { method: "POST", body: new URLSearchParams({ intent: "export", ...fields }) });
    const context = { ...ctx, request: { url } } as Ctx;
    return runFormAction(context, aboutOne, { actor: admin, request, params: null });
  };

  test.each(["/team", "/team?_data=routes%2Fteam"])("changes nothing, sent to %s: the answer says why", async (to) => {
    const page = await sendFrom(to, { about: "2" }).catch((thrown: unknown) => thrown as Response);
    expect([page.status, await page.json()]).toEqual([409, reason]);
    expect(ran).toEqual([]);
  });

  test("is taken when it is about what they work on", async () => {
    expect((await sendFrom("/team", { about: "1" })).status).toBe(303);
    expect(ran).toHaveLength(1);
  });
});
