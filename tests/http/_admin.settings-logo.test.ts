import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { settings } from "~/db/schema/site";
import { effectiveBrand, logoStyle } from "~/features/settings/queries.server";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.settings_.logo";
import { loader as brandFile } from "~/routes/brand.$file";
import { staffMember } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { pngFile } from "../support/png-file";
import { args, get, postMultipart, thrownBy } from "../support/requests";

const PATH = "/admin/settings/logo";

afterEach(async () => {
  await testContext().db.delete(settings);
});

/** Returns a grey picture. */
const png = (width = 120, height = 40) => pngFile({ width, height });

const blackRows = (count: number, length: number) => Array.from({ length: count }, () => Array(length + 1).fill(0));

type Sent = { bytes?: Buffer<ArrayBuffer>; name?: string; fields?: Record<string, string> };

function send(ctx: TestContext, { bytes, name = "logo.png", fields = {} }: Sent) {
  const form_token = issueFormToken(ctx, "settings-logo");
  const file = bytes && { field: "logo", name, bytes };
  return action(args(ctx, postMultipart(PATH, { form_token, intent: "upload", version: "0", ...fields }, file)));
}

const open = async (src: string) =>
  brandFile({ ...args(testContext(), get(src)), params: { file: src.split("/").at(-1) } });

test("a picture becomes the logo of every page, under an address that never changes its content", async () => {
  const { ctx, person } = await staffMember();
  const answer = await send(ctx, { bytes: png() });
  expect([answer.status, answer.headers.get("X-Remix-Reload-Document")]).toEqual([303, "true"]);
  const { logo } = await effectiveBrand(ctx);
  expect(logo).toMatchObject({
    src: expect.stringMatching(/^\/brand\/logo-[0-9a-f]{32}\.png$/),
    width: 120,
    height: 40,
  });
  expect(logoStyle(logo)).toContain(`url(${logo?.src})`);
  const file = await open(logo?.src ?? "");
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(Buffer.from(await file.arrayBuffer()).equals(png())).toBe(true);
  expect(await ctx.db.$count(auditEvents, eq(auditEvents.actor_id, person.id))).toBe(1);

  expect((await send(ctx, { fields: { intent: "remove", version: "1" } })).status).toBe(303);
  expect((await effectiveBrand(ctx)).logo).toBeNull();
});

const NO_PICTURE = /not a PNG or WebP picture/;

test.each<[string, Sent, RegExp]>([
  ["nothing", {}, /^Choose a picture first/],
  ["text that is called a picture", { bytes: Buffer.from("<svg onload=alert(1)>".repeat(9)) }, NO_PICTURE],
  ["SVG", { bytes: Buffer.from("<svg/>".repeat(20)), name: "logo.svg" }, NO_PICTURE],
  ["a page behind a picture", { bytes: Buffer.concat([png(), Buffer.from("<script>")]) }, NO_PICTURE],
  ["half a picture", { bytes: png().subarray(0, 60) }, NO_PICTURE],
  ["a head without pixels", { bytes: Buffer.concat([png().subarray(0, 8), Buffer.alloc(60)]) }, NO_PICTURE],
  ["a picture called WebP", { bytes: png(), name: "logo.webp" }, NO_PICTURE],
  ["one that is too small", { bytes: png(31, 40) }, /32 to 2,000 pixels/],
  ["one that is too wide", { bytes: png(2_001, 40) }, /32 to 2,000 pixels/],
  [
    "one of sixteen bits per color, whose pixels are more than PDF files show",
    { bytes: pngFile({ width: 1_500, height: 1_500, depth: 16, colorType: 6, rows: blackRows(1_500, 1_500 * 8) }) },
    /^PDF files could not show this picture/,
  ],
  ["more than half a megabyte", { bytes: Buffer.concat([png(), Buffer.alloc(512 * 1024)]) }, /larger than 512 KB/],
])("%s is rejected with the reason, and nothing is stored", async (_, sent, reason) => {
  const { ctx } = await staffMember();
  const answer = await send(ctx, sent);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { title: "Error", errors: { form: "Failed to save settings", logo: expect.stringMatching(reason) } },
  ]);
  expect(await ctx.db.$count(settings)).toBe(0);
});

test("a logo that somebody else has replaced meanwhile stays, and an old proof of identity is asked for again", async () => {
  const { ctx, base } = await staffMember();
  expect((await send(ctx, { bytes: png() })).status).toBe(303);
  expect((await send(ctx, { bytes: png(64, 64) })).status).toBe(409);
  expect((await effectiveBrand(ctx)).logo?.width).toBe(120);
  base.clock.advance(minutes(11));
  expect((await thrownBy(send(ctx, { bytes: png(), fields: { version: "1" } }))).headers.get("Location")).toMatch(
    /^\/profile\/confirm/,
  );
  expect((await thrownBy(loader(args(ctx, get(PATH))))).headers.get("Location")).toContain(encodeURIComponent(PATH));
});

test("a logo that a colleague has replaced since is not said to be saved by a form that arrives again", async () => {
  const { ctx } = await staffMember();
  const form_token = issueFormToken(ctx, "settings-logo");
  const sendAgain = async () => (await send(ctx, { bytes: png(), fields: { form_token } })).status;
  expect([await sendAgain(), await sendAgain()]).toEqual([303, 303]);
  expect((await send(ctx, { bytes: png(64, 64), fields: { version: "1" } })).status).toBe(303);
  expect(await sendAgain()).toBe(409);
});

test.each([
  "logo-0.png",
  `logo-${"0".repeat(32)}.png`,
  `logo-${"0".repeat(32)}.svg`,
  "../att/x",
  "",
])("%j is no file of the brand", async (file) => {
  expect((await thrownBy(brandFile({ ...args(testContext(), get("/brand/x")), params: { file } }))).status).toBe(404);
});

test("without a token of ours no byte of the file is kept", async () => {
  const { ctx } = await staffMember();
  expect((await send(ctx, { bytes: png(), fields: { form_token: "forged" } })).status).toBe(400);
  expect(await ctx.db.$count(settings)).toBe(0);
});
