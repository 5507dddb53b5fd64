import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { hasRecentProof, identityRequest } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { PlanNames } from "~/features/settings/model";
import { getSettings, planNamesIn } from "~/features/settings/queries.server";
import { listStaff } from "~/features/users/queries.server";
import { CONFIRM_IDENTITY_PATH, withRedirectTo } from "~/lib/addresses";
import { csvLine, UTF8_BOM } from "~/lib/csv";
import { isId } from "~/lib/ids";
import { fold } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { formTokens } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, done, download, notFound } from "~/platform/responses.server";
import { importActions, UPLOAD_PURPOSE } from "./actions.server";
import { OUTCOME_LABELS } from "./labels";
import { namesAsked, needsDates, unknownWords, wordsIn } from "./mapping.server";
import { type FileFacts, type ImportOutcome, type Mapping, undoUntil } from "./model";
import { importPath } from "./paths";
import {
  countOutcomes,
  findImport,
  listImports,
  listOutcomes,
  readProgress,
  type StoredImport,
} from "./queries.server";
import { findChanged } from "./undo.server";

export async function readImports(ctx: Ctx) {
  const [imports, { timeZone: zone }] = await Promise.all([listImports(ctx.db), getSettings(ctx.db)]);
  return { imports, zone, token: issueFormToken(ctx, UPLOAD_PURPOSE) };
}

const ORGANIZATIONS_OFFERED = 300;
const ROWS_SHOWN = 50;

/** Null: there is none. */
export async function readImport(ctx: Ctx, actor: StaffActor, id: string) {
  const order = await findImport(ctx.db, id);
  if (!order) return null;
  const { searchParams } = ctx.request.url;
  const isStopped = order.state === "failed" && order.started_at !== null;
  const canChange = order.state === "done" || order.state === "running" || isStopped;
  const [progress, columns, names, outcomes, changed, { timeZone: zone }] = await Promise.all([
    readProgress(ctx.db, order),
    order.state === "columns" ? readColumns(ctx, order) : null,
    order.state === "checked" ? readNames(ctx, order) : null,
    readOutcomes(ctx, order, searchParams),
    searchParams.has("undo") && canChange ? findChanged(ctx, order) : null,
    getSettings(ctx.db),
  ]);
  const undo = order.finished_at === null ? null : undoUntil(order.finished_at);
  const facts: FileFacts | null = order.file_json ? JSON.parse(order.file_json) : null;
  return {
    id,
    kind: order.kind,
    preset: order.preset,
    state: order.state,
    version: order.version,
    fileName: order.file_name,
    problem: order.problem,
    rows: order.rows,
    totalRows: facts?.rows ?? order.rows,
    added: order.added,
    messages: order.messages,
    removed: order.removed,
    kept: order.kept,
    fileSize: order.file_size,
    ...progress,
    startedAt: order.started_at,
    undoUntil: undo,
    canUndo: order.state === "running" || ((order.state === "done" || isStopped) && undo !== null && undo > ctx.now()),
    zone,
    columns,
    names,
    outcomes,
    changed,
    tokens: formTokens(ctx, actor, importActions),
    identity: identityRequest(ctx, actor),
  };
}

export type ImportView = NonNullable<Awaited<ReturnType<typeof readImport>>>;

async function readColumns({ db }: Ctx, order: StoredImport) {
  const facts: FileFacts = JSON.parse(order.file_json ?? "");
  const mapping: Mapping = JSON.parse(order.mapping_json ?? "");
  const [organizations, staff] = await Promise.all([
    order.kind === "organizations" ? [] : listOffered(db, { limit: ORGANIZATIONS_OFFERED }),
    listStaff(db),
  ]);
  const asked = wordsIn(facts, mapping.fields);
  return {
    facts,
    mapping,
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    staff,
    words: asked.map((one) => ({ ...one, meaning: mapping.words[one.field][one.word] ?? null })),
    unknown: unknownWords(facts, mapping).length,
    needsDates: needsDates(facts, mapping),
  };
}

/** Of more than this, only those are offered beside each name that cannot be typed, as several have their name. */
const ORGANIZATIONS_BESIDE_NAMES = 50;

/** What the file calls organizations that are not here under that name, and what was answered. Null: nothing. */
async function readNames({ db }: Ctx, { mapping_json, preset }: StoredImport) {
  const asked = namesAsked((JSON.parse(mapping_json ?? "{}") as Mapping).names);
  if (asked.length === 0) return null;
  const words = JSON.stringify(asked.map(fold));
  const isAsked = sql`search_name IN (SELECT value FROM json_each(${words}))`;
  const [found, answers] = await Promise.all([
    listOffered(db, { limit: ORGANIZATIONS_BESIDE_NAMES + 1, first: isAsked }),
    db.all<{ word: string; meaning: string; name: string | null }>(sql`
      SELECT w.word, w.meaning, o.name FROM import_words w LEFT JOIN organizations o ON o.id = w.meaning
      WHERE w.source = ${preset} AND w.field = 'organization' AND w.word IN (SELECT value FROM json_each(${words}))`),
  ]);
  const isTyped = found.length > ORGANIZATIONS_BESIDE_NAMES;
  const organizations = found.filter(({ isShared }) => isShared || !isTyped);
  return {
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    isTyped,
    asked: asked.map((name) => {
      const { meaning = null, name: chosen = null } = answers.find(({ word }) => word === fold(name)) ?? {};
      const isSeveral = organizations.some(({ folded, isShared }) => isShared && folded === fold(name));
      const isKnown = chosen !== null || meaning === "leave" || (meaning === "make" && !isSeveral);
      const typed = isTyped && organizations.every(({ id }) => id !== meaning) ? chosen : null;
      return { name, meaning: isKnown ? meaning : null, typed, isSeveral };
    }),
  };
}

type Offered = { id: string; name: string; folded: string; isShared: boolean };

/** By name; where more are here than can be listed, those whose name several have. These say what tells them apart. */
async function listOffered(db: Db, { limit, first = sql`0` }: { limit: number; first?: SQL }): Promise<Offered[]> {
  const [found, settings] = await Promise.all([
    db.all<{ id: string; name: string; folded: string; facts: string; plan: keyof PlanNames; isShared: number }>(sql`
      SELECT * FROM (
        SELECT id, name, search_name AS folded, name_key, plan, concat_ws(', ', (
            SELECT min(d.domain) FROM organization_domains d WHERE d.organization_id = o.id), '/' || slug) AS facts,
          EXISTS (SELECT 1 FROM organizations n
            WHERE n.name_key = o.name_key AND n.search_name = o.search_name AND n.id <> o.id) AS isShared
        FROM organizations o ORDER BY isShared * (1 + (${first})) DESC, name_key, id LIMIT ${limit})
      ORDER BY name_key, id`),
    getSettings(db),
  ]);
  const planNames = planNamesIn(settings);
  return found.map(({ id, name, folded, facts, plan, isShared }) => ({
    ...{ id, folded, isShared: isShared === 1 },
    name: isShared === 1 ? `${name} (${planNames[plan]}, ${facts})` : name,
  }));
}

const WORTH_A_LOOK: readonly ImportOutcome[] = ["noted", "refused"];

async function readOutcomes({ db }: Ctx, { id, state, file_json }: StoredImport, params: URLSearchParams) {
  if (state === "reading" || state === "columns" || file_json === null) return null;
  const isFailing = params.get("only") === "refused";
  const after = Number(/^\d{1,7}$/.exec(params.get("after") ?? "")?.[0] ?? 0);
  const outcomes = isFailing ? (["refused"] as const) : WORTH_A_LOOK;
  const [counts, rows] = await Promise.all([
    countOutcomes(db, id),
    listOutcomes(db, id, { outcomes, after, limit: ROWS_SHOWN + 1 }),
  ]);
  return {
    counts,
    isFailing,
    rows: rows.slice(0, ROWS_SHOWN),
    next: rows.length > ROWS_SHOWN ? (rows[ROWS_SHOWN - 1]?.row ?? null) : null,
  };
}

const LINES_AT_ONCE = 1_000;

/** What became of each row, as a file. */
export async function exportOutcomes(ctx: Ctx, actor: StaffActor): Promise<ActionResult<never>> {
  const id = ctx.request.url.searchParams.get("import") ?? "";
  const order = isId("imp", id) ? await findImport(ctx.db, id) : null;
  if (!order) return notFound();
  if (!hasRecentProof(ctx, actor)) return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, importPath(id)) });
  const encoder = new TextEncoder();
  let after = 0;
  await commit(ctx.db, [
    recordAudit(ctx, "settings.import_exported", {
      subject: { type: "settings", id: "import", label: null },
      meta: { rows: order.rows },
    }),
  ]);
  return download({
    fileName: `import-${order.kind}.csv`,
    contentType: "text/csv; charset=utf-8",
    content: new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(encoder.encode(UTF8_BOM + csvLine(["Row", "In the file", "What happens", "Why"]))),
      pull: async (controller) => {
        const rows = await listOutcomes(ctx.db, id, { outcomes: null, after, limit: LINES_AT_ONCE });
        after = rows.at(-1)?.row ?? after;
        const lines = rows.map(({ row, label, outcome, reason }) =>
          csvLine([row, label, OUTCOME_LABELS[outcome], reason]),
        );
        if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
        if (rows.length < LINES_AT_ONCE) controller.close();
      },
    }),
  });
}
