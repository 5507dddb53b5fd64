import { eq } from "drizzle-orm";
import { archives } from "~/db/schema/archives";
import { askForArchive, type Wanted } from "~/features/archives/actions.server";
import { makeArchives } from "~/features/archives/work.server";
import type { TestContext } from "./context";
import { nonce } from "./organizations";
import { unzip } from "./unzip";

type Asker = Parameters<typeof askForArchive>[1];

export async function askedArchive(ctx: TestContext, actor: Asker, wanted: Wanted) {
  const ability = actor.membership ? "organization.archive" : "privacy.manage";
  const asked = await askForArchive(ctx, actor, { ...wanted, ability, nonce: nonce() });
  if (!asked.ok) throw new Error(asked.code);
  return asked.value;
}

export async function archiveOf(ctx: TestContext, id: string) {
  const [row] = await ctx.db.select().from(archives).where(eq(archives.id, id));
  if (!row) throw new Error(`There is no archive ${id}`);
  return row;
}

async function storedArchive(ctx: TestContext, id: string): Promise<Uint8Array> {
  const { file_key: key } = await archiveOf(ctx, id);
  const body = key === null ? null : await ctx.files.get(key);
  if (!body) throw new Error("The archive was not made");
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** Reads what is in an archive that was made. */
export const archivedFiles = async (ctx: TestContext, id: string): Promise<Map<string, string>> =>
  unzip(await storedArchive(ctx, id));

/** Asks for an archive as its page does, and waits until it is made. */
export async function madeArchive(ctx: TestContext, actor: Asker, wanted: Wanted): Promise<Uint8Array> {
  const id = await askedArchive(ctx, actor, wanted);
  await ctx.settle();
  while ((await makeArchives(ctx)).more);
  return storedArchive(ctx, id);
}

export const openedArchive = async (ctx: TestContext, actor: Asker, wanted: Wanted): Promise<Map<string, string>> =>
  unzip(await madeArchive(ctx, actor, wanted));
