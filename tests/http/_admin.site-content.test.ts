import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { hero } from "~/content/home";
import { auditEvents } from "~/db/schema/audit";
import { settings } from "~/db/schema/site";
import type { ContentGroupId } from "~/features/settings/model";
import { effectiveBrand, unwrittenSections } from "~/features/settings/queries.server";
import { CONTENT_IDS, contentFields } from "~/features/settings/site-content.server";
import { readSettings } from "~/features/settings-management/groups.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as sendPortrait } from "~/routes/_admin.admin.settings_.portrait";
import { loader as brandFile } from "~/routes/brand.$file";
import { staffMember } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { pngFile } from "../support/png-file";
import { args, get, postMultipart } from "../support/requests";
import { saveSetting, settingsForm } from "../support/settings";

afterEach(async () => {
  await testContext().db.delete(settings);
});

const eventsOf = (actorId: string) => testContext().db.$count(auditEvents, eq(auditEvents.actor_id, actorId));

const pair = (index: number) => `Question ${index}?\nAnswer ${index}.`;
const pairs = (count: number) => Array.from({ length: count }, (_, index) => pair(index + 1)).join("\n\n");

test.each<[string, ContentGroupId, Record<string, string>, RegExp]>([
  ["a headline of 400 characters", "content-home", { lines_hero_first: "x".repeat(400) }, /at most 60.*this has 400/],
  ["a mark that turns the direction", "content-home", { hero_marked: "a\u202eb" }, /plain text/],
  ["two of three days", "content-switching", { lines_switching_steps: pairs(2) }, /exactly 3; these are 2/],
  ["thirteen questions", "content-questions", { lines_questions_questions: pairs(13) }, /at most 12; these are 13/],
  ["a question without an answer", "content-questions", { lines_questions_questions: "Why?" }, /below “Why\?”/],
  ["eleven features", "content-plans", { lines_core_features: "one\n".repeat(11) }, /at most 10; these are 11/],
  ["a story without end", "content-story", { story: "x".repeat(4_001) }, /at most 4000 characters/],
])("%s is refused with the reason, and kept as it was typed", async (_, id, typed, reason) => {
  const { send } = await settingsForm(id);
  const answer = await send(typed);
  const { errors, values } = await answer.json();
  expect([answer.status, Object.keys(errors).sort()]).toEqual([400, ["form", ...Object.keys(typed)].sort()]);
  expect(errors[Object.keys(typed)[0] ?? ""]).toMatch(reason);
  expect(values).toMatchObject(typed);
  expect(await testContext().db.$count(settings)).toBe(0);
});

test("a second tab that is older saves nothing, and shows what stands there now", async () => {
  const { shown, send } = await settingsForm("content-home");
  const before = await shown();
  expect((await send({ hero_marked: "first" })).status).toBe(303);
  const late = await send({ ...before, hero_marked: "second" });
  expect([late.status, (await late.json()).stored]).toEqual([409, [{ label: "Marked words", value: "first" }]]);
});

test("a preview keeps what was typed, and stores, records and publishes nothing", async () => {
  const { ctx, person, send } = await settingsForm("content-home");
  const answer = await send({ lines_hero_first: "Ours", preview: "on" });
  expect(answer.status).toBe(200);
  expect((await answer.json()).values).toMatchObject({ lines_hero_first: "Ours" });
  expect([await ctx.db.$count(settings), await eventsOf(person.id)]).toEqual([0, 0]);
  expect((await effectiveBrand(ctx)).content.hero.first).toBe(hero.first);
});

test("what is written takes the place of its default, is recorded, and gives it back when it is emptied", async () => {
  const { ctx, person, send } = await settingsForm("content-home");
  expect((await send({ lines_hero_lead: "<b>{company}</b> & you", lines_hero_first: "" })).status).toBe(303);
  const { content, name } = await effectiveBrand(ctx);
  expect(content.hero).toEqual({ ...hero, lead: `<b>${name}</b> & you` });
  expect(await eventsOf(person.id)).toBe(1);
  const emptied = await saveSetting("content-home", { lines_hero_lead: "" });
  expect((await effectiveBrand(emptied)).content.hero.lead).toBe(hero.lead.replace("{company}", name));
});

test("names stand in every text, as the preview shows them", async () => {
  const ctx = await saveSetting("content-switching", {
    switching_title: "To {company}",
    lines_switching_steps: "{company} calls\nYou pay {lab price}.\n\nTwo\nB\n\nThree\nC",
  });
  const { content, name } = await effectiveBrand(ctx);
  expect(content.switching.title).toBe(`To ${name}`);
  expect(content.switching.steps[0]).toEqual({ title: `${name} calls`, text: "You pay $52." });
});

test("a default that is sent as it stands is not stored: the next version may have another", async () => {
  for (const id of CONTENT_IDS) {
    const { send } = await settingsForm(`content-${id}`);
    const same = Object.fromEntries(contentFields(id).map(({ name, standard }) => [name, standard]));
    expect((await send(same)).status, id).toBe(303);
  }
  expect(await testContext().db.$count(settings)).toBe(0);
});

test("plans, services and questions are what their owner wrote, with the rest as it was", async () => {
  await saveSetting("content-plans", { core_name: "Whole", lines_core_features: "One\n\nTwo" });
  await saveSetting("content-service-data-backup", { lines_service_situations: "It is gone.\nWe bring it\nback." });
  const ctx = await saveSetting("content-questions", { lines_questions_questions: "A lab?\n{lab price} each." });
  const { content } = await effectiveBrand(ctx);
  expect(content.plans.map(({ name }) => name)).toEqual(["Basic", "Whole", "Premium"]);
  expect(content.plans[1]).toMatchObject({ features: ["One", "Two"], monthlyCents: 14_900 });
  const backup = content.services.find(({ id }) => id === "data-backup");
  expect(backup).toMatchObject({
    title: "Data backup",
    situations: [{ title: "It is gone.", text: "We bring it back." }],
  });
  expect(content.questions).toEqual([{ title: "A lab?", text: "$52 each." }]);
});

test("story and network brand live beside the company's other facts, and neither form loses what the other saved", async () => {
  await saveSetting("company", { phone: "(212) 555-0199" });
  await saveSetting("content-story", { story: "It began.\n\nThen it grew.", founder: "Kim Park" });
  await saveSetting("content-network", { networkBrand: "Maple" });
  const ctx = await saveSetting("company", { site_name: "Acme IT" });
  const { name, phone, story, founder, networkBrand } = await effectiveBrand(ctx);
  expect([name, phone?.display, story, founder, networkBrand]).toEqual([
    "Acme IT",
    "(212) 555-0199",
    "It began.\n\nThen it grew.",
    "Kim Park",
    "Maple",
  ]);
});

test("a new installation has written nothing, and what is written is known", async () => {
  const sections = async () => unwrittenSections((await readSettings(testContext().db)).settings);
  expect(await sections()).toEqual(CONTENT_IDS);
  await saveSetting("content-network", { networkBrand: "Maple" });
  expect(await sections()).toEqual(CONTENT_IDS.filter((id) => id !== "network"));
});

const segment = (marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** Returns a JPEG whose EXIF data say how it is turned, and where it was taken. */
function jpeg({ side = 400, orientation = 1 } = {}) {
  const tiff = Buffer.alloc(26);
  tiff.write("II*\0", "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  const frame = Buffer.from([8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 17, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff, Buffer.from("at home")])),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 3, 0xff, 0xd9]),
  ]);
}

function send(ctx: TestContext, bytes: Buffer<ArrayBuffer>, name = "me.jpg", changes: Record<string, string> = {}) {
  const fields = { form_token: issueFormToken(ctx, "settings-portrait"), intent: "upload", version: "0", ...changes };
  const request = postMultipart("/admin/settings/portrait", fields, { field: "portrait", name, bytes });
  return sendPortrait(args(ctx, request));
}

test.each<[string, Buffer<ArrayBuffer>, RegExp]>([
  ["a picture of 12 MB", Buffer.concat([jpeg(), Buffer.alloc(12 * 1024 * 1024)]), /larger than 1024 KB/],
  ["one that lies on its side", jpeg({ orientation: 6 }), /stored on its side/],
  ["one that is too small", jpeg({ side: 199 }), /200 to 3,000 pixels/],
  ["a page called a picture", Buffer.from("<svg onload=alert(1)>".repeat(9)), /not a JPEG, PNG or WebP/],
  ["a page behind a picture", Buffer.concat([jpeg(), Buffer.from("<script>")]), /not a JPEG, PNG or WebP/],
])("%s is refused as the founder's, and nothing is stored", async (_, bytes, reason) => {
  const { ctx } = await staffMember();
  const answer = await send(ctx, bytes);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: { portrait: expect.stringMatching(reason) } });
  expect(await ctx.db.$count(settings)).toBe(0);
});

const chunk = (name: string, body: string | Buffer, isBigEndian: boolean) => {
  const head = Buffer.alloc(4);
  if (isBigEndian) head.writeUInt32BE(Buffer.byteLength(body));
  else head.writeUInt32LE(Buffer.byteLength(body));
  const content = Buffer.from(body);
  return isBigEndian
    ? Buffer.concat([head, Buffer.from(name), content, Buffer.alloc(4)])
    : Buffer.concat([Buffer.from(name), head, content, Buffer.alloc(content.length % 2)]);
};

/** With a text, a time and a place between header and pixels. */
function png() {
  const plain = pngFile({ width: 400, height: 400 });
  const told = ["eXIf", "tEXt", "iTXt", "zTXt", "tIME", "prVt"].map((name) => chunk(name, "at home", true));
  return { plain, told: Buffer.concat([plain.subarray(0, 33), ...told, plain.subarray(33)]) };
}

function webp() {
  const head = (flags: number) => Buffer.from([flags, 0, 0, 0, 143, 1, 0, 143, 1, 0]);
  const file = (...chunks: Buffer[]) => {
    const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(body.length);
    return Buffer.concat([Buffer.from("RIFF"), size, body]);
  };
  const [pixels, told] = [chunk("VP8L", "pixels of it", false), (name: string) => chunk(name, "at home", false)];
  return {
    plain: file(chunk("VP8X", head(0x10), false), pixels),
    told: file(chunk("VP8X", head(0x1c), false), pixels, told("EXIF"), told("XMP "), told("mine")),
  };
}

/** As phones write them: comments between its scans, and behind its end another picture that says the same again. */
function photo() {
  const [frame, scan] = [
    segment(0xc2, Buffer.from([8, 1, 144, 1, 144, 1, 1, 17, 0])),
    Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])]),
  ];
  const [start, end, place] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9]), Buffer.from("at home")];
  const colors = segment(0xe2, Buffer.from("ICC_PROFILE\0\x01\x01sRGB"));
  const told = [segment(0xe1, place), segment(0xe2, place), segment(0xec, place)];
  return {
    plain: Buffer.concat([start, colors, frame, scan, scan, end]),
    told: Buffer.concat([start, ...told, colors, frame, scan, segment(0xfe, place), scan, end, jpeg()]),
  };
}

/** Ends with a part that is too short to say what it is. */
function endsEarly({ plain } = photo()) {
  return {
    plain,
    told: Buffer.concat([plain.subarray(0, -2), segment(0xe2, Buffer.from("home")), plain.subarray(-2)]),
  };
}

const shown = (src = "") => brandFile({ ...args(testContext(), get(src)), params: { file: src.split("/").at(-1) } });
const portraitOf = async (ctx: TestContext) => (await effectiveBrand(ctx)).content.portrait?.src;

test.each([
  ["jpg", photo(), "image/jpeg"],
  ["jpg", endsEarly(), "image/jpeg"],
  ["png", png(), "image/png"],
  ["webp", webp(), "image/webp"],
] as const)("the founder's picture, a %s, is published without what it says of its place", async (kind, file, type) => {
  const { ctx } = await staffMember();
  expect((await send(ctx, file.told, `me.${kind}`)).status).toBe(303);
  expect((await effectiveBrand(ctx)).content.portrait).toMatchObject({ width: 400, height: 400 });
  const answer = await shown(await portraitOf(ctx));
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, type]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.includes("at home")).toBe(false);
  expect(bytes.equals(file.plain)).toBe(true);
});

test("a picture of the founder that is replaced or removed is not to be had any more", async () => {
  const { ctx } = await staffMember();
  await send(ctx, jpeg());
  const first = await portraitOf(ctx);
  expect((await send(ctx, png().told, "me.png", { version: "1" })).status).toBe(303);
  const second = await portraitOf(ctx);
  expect((await shown(second)).status).toBe(200);
  await expect(shown(first)).rejects.toMatchObject({ status: 404 });
  expect((await send(ctx, png().told, "me.png", { version: "2", intent: "remove" })).status).toBe(303);
  await expect(shown(second)).rejects.toMatchObject({ status: 404 });
});
