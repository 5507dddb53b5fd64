import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { attachments } from "~/db/schema/subjects";
import { TICKET_FILES } from "~/features/attachments/model";
import { downloadAttachment } from "~/features/attachments/queries.server";
import { PART_SIZE, receiveFile } from "~/features/attachments/store-attachment.server";
import type { Subject } from "~/lib/subject";
import { bindings, type TestContext, testContext } from "../../support/context";
import { as, makeOrganization, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { storeAttachment } from "../../support/stored-files";

describe("a file that is sent", () => {
  let ctx: TestContext;

  beforeEach(() => {
    ctx = testContext();
  });

  /** Returns a PDF of that many bytes, each of which depends on its place. */
  function pdfOf(size: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 1) bytes[at] = (at * 7 + (at >> 8)) & 255;
    bytes.set(new TextEncoder().encode("%PDF-1.7"));
    return bytes;
  }

  const keysNow = async () => (await bindings.FILES.list({ prefix: "att/" })).objects.map(({ key }) => key);

  async function receive(name: string, bytes: Uint8Array, chunk = 60_000) {
    const receiver = receiveFile(ctx, name, TICKET_FILES);
    for (let at = 0; at < bytes.byteLength; at += chunk) await receiver.write(bytes.subarray(at, at + chunk));
    return receiver;
  }

  const sha256Of = async (bytes: Uint8Array<ArrayBuffer>) =>
    Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");

  test.each([
    ["small", 1_000],
    ["of exactly one part", PART_SIZE],
    ["of a byte more than one part", PART_SIZE + 1],
    ["of two parts", 2 * PART_SIZE],
  ])("a file %s is stored byte for byte, and its hash is that of its bytes", async (_, size) => {
    const bytes = pdfOf(size);
    const stored = await (await receive("plan.pdf", bytes)).end();
    const kind = { fileName: "plan.pdf", kind: "pdf", size };
    expect(stored).toMatchObject({ error: null, ...kind, sha256: await sha256Of(bytes) });
    const key = stored.error === null ? stored.key : "";
    const kept = new Uint8Array((await (await bindings.FILES.get(key))?.arrayBuffer()) ?? new ArrayBuffer());
    expect(Buffer.compare(kept, bytes)).toBe(0);
  });

  test.each([
    ["that only says it is a PDF", "plan.pdf", new Uint8Array(20_000), "not_accepted"],
    ["of another kind", "plan.exe", pdfOf(20_000), "not_accepted"],
    ["that is empty", "plan.pdf", new Uint8Array(), "empty"],
  ])("nothing of a file %s is stored", async (_, name, bytes, error) => {
    const before = await keysNow();
    expect(await (await receive(name, bytes)).end()).toEqual({ fileName: name, error });
    expect(await keysNow()).toEqual(before);
  });

  test("text that turns out to be none after its first part leaves nothing behind", async () => {
    const before = await keysNow();
    const bytes = new Uint8Array(PART_SIZE + 100_000).fill(97);
    bytes[PART_SIZE + 90_000] = 0;
    expect(await (await receive("notes.txt", bytes)).end()).toMatchObject({ error: "not_accepted" });
    expect(await keysNow()).toEqual(before);
  });

  test.each([
    ["before its first part", 1_000, 0],
    ["after its first part", PART_SIZE + 1_000, 1],
  ])("a file that is let go of %s leaves nothing behind, no parts either", async (_, size, begun) => {
    const before = await keysNow();
    let aborted = 0;
    const { putParts } = ctx.files;
    ctx.files.putParts = async (key) => {
      const parts = await putParts(key);
      const abort = async () => {
        await parts.abort();
        aborted += 1;
      };
      return { ...parts, abort };
    };
    await (await receive("plan.pdf", pdfOf(size))).abort();
    expect(await keysNow()).toEqual(before);
    expect(aborted).toBe(begun);
  });

  test.each([1_000, PART_SIZE + 1_000])("a stored file of %d bytes that is let go of is deleted", async (size) => {
    const before = await keysNow();
    const receiver = await receive("plan.pdf", pdfOf(size));
    await receiver.end();
    expect(await keysNow()).toHaveLength(before.length + 1);
    await receiver.abort();
    expect(await keysNow()).toEqual(before);
  });
});

async function stored(subject: (ctx: TestContext) => Promise<Subject>) {
  const ctx = testContext();
  const file = { name: "plan.pdf", kind: "pdf", bytes: new Uint8Array(Buffer.from("%PDF-1.7")) } as const;
  const { id, statement } = await storeAttachment(ctx, file, await subject(ctx));
  await commit(ctx.db, [statement]);
  return { ctx, id };
}

const submission = async (ctx: TestContext): Promise<Subject> => ({
  type: "submission",
  id: (await makeSubmission(ctx)).id,
});

async function download({ ctx, id }: Awaited<ReturnType<typeof stored>>, role: "moderator" | "user") {
  const person = await makePerson(ctx, { role });
  const file = await downloadAttachment(as(ctx, person), signedInAs(person, ctx.now()), id);
  return file && new Response(file.content).text();
}

test("a file is handed to whoever may see what it belongs to, and the record says so first", async () => {
  const file = await stored(submission);
  expect(await download(file, "user")).toBeNull();
  expect(await file.ctx.db.select().from(auditEvents)).toEqual([]);
  expect(await download(file, "moderator")).toBe("%PDF-1.7");
  expect(await file.ctx.db.select().from(auditEvents)).toMatchObject([
    { action: "submission.file_downloaded", subject_type: "submission", subject_label: "Priya Raman" },
  ]);
});

test("a file of nothing, of something that is gone, or of a kind that has no files is not found", async () => {
  const gone = await stored(async () => ({ type: "submission", id: "sub_gone" }));
  expect(await download(gone, "moderator")).toBeNull();
  const kind = await stored(async (ctx) => ({ type: "organization", id: (await makeOrganization(ctx)).id }));
  expect(await download(kind, "moderator")).toBeNull();
  const nothing = await stored(submission);
  await nothing.ctx.db.update(attachments).set({ subject_type: null, subject_id: null });
  expect(await download(nothing, "moderator")).toBeNull();
});
