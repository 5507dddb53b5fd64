import { sql } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { backups } from "~/db/schema/backups";
import { SYSTEM } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { ERASED_PREFIX } from "~/features/privacy/model";
import type { Ctx } from "~/platform/context.server";
import { equalInConstantTime } from "~/platform/crypto.server";
import { sendStored } from "~/platform/files.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { BACKUPS_PREFIX, type FetchedList, isObjectName } from "./model";

/*
 * For the machine that keeps the backups. Its key lists and reads what is sealed and the notes of erasures, says that
 * a restore was proven, and opens nothing else.
 */

const words = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers } });

const SHORTEST_KEY = 32;

/** Null: the key fits. Only wrong ones are counted. */
async function refusal(ctx: Ctx, request: Request): Promise<Response | null> {
  const { BACKUP_FETCH_KEY: key } = ctx.config;
  const given = /^Bearer (\S+)$/.exec(request.headers.get("Authorization") ?? "")?.[1];
  if (key && key.length >= SHORTEST_KEY && given && equalInConstantTime(given, key)) return null;
  const limit = await takeLimit(ctx.db, "backup_ip", ctx.request.network, ctx.now());
  if (!limit.allowed) {
    const seconds = Math.max(1, Math.ceil((limit.retryAt - ctx.now()) / 1000));
    return words(429, "Too many wrong keys. Try again later.", { "Retry-After": String(seconds) });
  }
  ctx.log("warn", { event: "backup_key_refused", request_id: ctx.request.id });
  return words(
    401,
    "This key does not open the backups: it is not the BACKUP_FETCH_KEY of the site, or the site has none.",
    {
      "WWW-Authenticate": "Bearer",
    },
  );
}

const LISTED_AT_ONCE = 500;

/** Names are those of a folder of backups. A page of a backup that is not whole is not listed. */
export async function listForFetch(ctx: Ctx, request: Request): Promise<Response> {
  const refused = await refusal(ctx, request);
  if (refused) return refused;
  const after = ctx.request.url.searchParams.get("after") ?? "";
  const isNotes = after.startsWith(ERASED_PREFIX);
  const prefix = isNotes ? "" : BACKUPS_PREFIX;
  const [{ found, hasMore }, whole] = await Promise.all([
    ctx.files.list(isNotes ? ERASED_PREFIX : BACKUPS_PREFIX, after && prefix + after, LISTED_AT_ONCE),
    ctx.db.select({ id: backups.id }).from(backups).where(sql`finished_at IS NOT NULL AND removed_at IS NULL`),
    after === "" ? recordFetch(ctx) : null,
  ]);
  const ids = new Set(whole.map(({ id }) => id));
  const named = found.map(({ key, size, etag }) => ({ name: key.slice(prefix.length), size, md5: etag }));
  const isOfWhole = (name: string) => !/^\d/.test(name) || ids.has(name.split("/")[0] ?? "");
  const list: FetchedList = {
    objects: named.filter(({ name }) => isObjectName(name) && isOfWhole(name)),
    next: hasMore ? (named.at(-1)?.name ?? null) : isNotes ? null : ERASED_PREFIX,
  };
  return Response.json(list, { headers: { "Cache-Control": "no-store" } });
}

const SUBJECT = { type: "settings", id: "backups", label: null } as const;

const recordFetch = (ctx: Ctx) =>
  commit(ctx.db, [recordAudit(ctx, "security.backups_fetched", { subject: SUBJECT, actor: SYSTEM })]);

export async function readForFetch(ctx: Ctx, request: Request, name: string): Promise<Response> {
  const refused = await refusal(ctx, request);
  if (refused) return refused;
  const key = name.startsWith(ERASED_PREFIX) ? name : BACKUPS_PREFIX + name;
  const sent = isObjectName(name) ? await sendStored(ctx.files, key, request.headers) : null;
  if (!sent) return words(404, "There is no such file in the backups.");
  const headers = { ...sent.headers, "Content-Type": "application/octet-stream", "Cache-Control": "no-store" };
  return new Response(sent.content, { status: sent.status, headers });
}

/** The machine that keeps the backups has restored one, signed in, and opened a ticket and a file. */
export async function takeProof(ctx: Ctx, request: Request): Promise<Response> {
  const refused = await refusal(ctx, request);
  if (refused) return refused;
  const form = new URLSearchParams(await request.text());
  const [backup, rows, ms] = [form.get("backup") ?? "", Number(form.get("rows")), Number(form.get("ms"))];
  const isCount = (count: number) => Number.isSafeInteger(count) && count > 0;
  if (!isCount(rows) || !isCount(ms)) return words(400, "Say which backup, how many rows and how many milliseconds.");
  const isKnown = await commit(ctx.db, [
    ctx.db
      .update(backups)
      .set({ proven_at: ctx.now(), proven_rows: rows, proven_ms: ms })
      .where(sql`id = ${backup} AND finished_at IS NOT NULL`),
    expectChange(ctx.db),
    recordAudit(ctx, "security.restore_proven", { subject: SUBJECT, actor: SYSTEM, meta: { backup, rows } }),
  ]);
  return isKnown ? new Response(null, { status: 204 }) : words(404, "The site knows no such backup.");
}
