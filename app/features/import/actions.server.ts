import { and, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { expectChange, jsonParameters, type Statement } from "~/db/client.server";
import { IMPORT_KINDS, IMPORT_PRESETS, importRows, imports, importWords } from "~/db/schema/imports";
import { receiveFile } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { missingProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { TICKET_PRIORITIES } from "~/features/tickets/model";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { listStaff, type StaffMember } from "~/features/users/queries.server";
import { fail, ok } from "~/lib/errors";
import { absentAsEmpty, type FieldErrors, type ValidationError } from "~/lib/form";
import { isId } from "~/lib/ids";
import { fold, tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, type FormAction, formActions, invalidForm, versionField } from "~/platform/form-actions.server";
import { checkFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import type { UploadRules } from "~/platform/read-multipart.server";
import { conflict, done, invalid, notFound } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import {
  CHANGED_MEANWHILE,
  CHOOSE_DATES,
  CHOOSE_FILE,
  CHOOSE_KIND,
  CHOOSE_MEANING,
  COLUMNS_NOT_SAVED,
  FIELD_TWICE,
  FILE_TOO_LARGE,
  missingField,
  NAMES_NOT_SAVED,
  NO_SUCH_ORGANIZATION,
  NOT_IMPORTED,
  NOT_UNDONE,
  NOT_UPLOADED,
  SEVERAL_SUCH,
  UNDO_TOO_LATE,
  wordName,
} from "./labels";
import { namesAsked, needsDates, unknownWords, withWords, wordsIn } from "./mapping.server";
import {
  DATE_ORDERS,
  type FileFacts,
  IMPORT_FIELDS,
  IMPORT_LIMITS,
  IMPORTED_STATUSES,
  type ImportField,
  type ImportKind,
  type Mapping,
  REQUIRED_FIELDS,
  undoUntil,
  type WordField,
} from "./model";
import { IMPORT_PATH, importPath } from "./paths";
import { findImport, importKeysOf, type StoredImport } from "./queries.server";
import { workOn } from "./work.server";

export const UPLOAD_PURPOSE = "import-upload";

/** What is read within a second is ready when its page is shown. */
const SMALL = 256 * 1024;

const begin = async (ctx: Ctx, { id, file_size }: Pick<StoredImport, "id" | "file_size">): Promise<void> => {
  if (file_size <= SMALL) await workOn(ctx, id);
  else ctx.after(workOn(ctx, id));
};

const importUpload = (ctx: Ctx): UploadRules => ({
  maxFileSize: IMPORT_LIMITS.fileSize,
  decide: async ({ form_token: token }) => {
    const { signedIn, db, now } = ctx;
    if (!signedIn || !checkFormToken(ctx, UPLOAD_PURPOSE, token).ok) return { accepted: false, reason: "token" };
    const limit = await takeLimit(db, "files_user", signedIn.userId, now());
    return limit.allowed ? { accepted: true } : { accepted: false, reason: "limited", retryAt: limit.retryAt };
  },
  stored: { maxFiles: 1, receive: (fileName) => receiveFile(ctx, fileName, { kinds: null, folder: "imports" }) },
});

const UploadForm = absentAsEmpty(
  ["kind", "preset"],
  z.object({
    kind: z.enum(IMPORT_KINDS, CHOOSE_KIND),
    preset: z
      .string()
      .transform((text) => text || "generic")
      .pipe(z.enum(IMPORT_PRESETS)),
  }),
);

export const uploadActions = formActions<StaffActor, null, ValidationError>({
  intentField: null,
  reading: (ctx) => ({ upload: importUpload(ctx) }),
})({
  upload: {
    ability: "import.run",
    purpose: UPLOAD_PURPOSE,
    failed: "Failed to upload the file",
    takesFiles: true,
    form: UploadForm,
    invalid: (problem, posted, ctx) => {
      discardFiles(ctx, posted);
      return invalidForm(NOT_UPLOADED)(problem);
    },
    run: async (ctx, actor, { input, nonce, fields: { form_token: _, ...values }, upload }) => {
      const file = upload?.stored[0];
      const reject = (text: string) => invalid({ title: NOT_UPLOADED, errors: { file: text }, values });
      if (upload && !upload.decision.accepted && upload.decision.reason === "limited")
        return reject(tooManyAttempts(upload.decision.retryAt, ctx.now()));
      if (!file) return reject(CHOOSE_FILE);
      if (file.error !== null) return reject(file.error === "too_large" ? FILE_TOO_LARGE : CHOOSE_FILE);
      const id = ctx.newId("imp");
      const form = { scope: "import-upload", key: `${nonce}:${file.sha256.slice(0, 16)}` };
      const stored = await runCommand(ctx, form, {
        read: async () => null,
        plan: (): Planned<"denied"> =>
          ok({
            resultId: id,
            expects: [{ that: isActiveAdmin(actor.userId), otherwise: "denied" }],
            statements: [
              ctx.db.insert(imports).values({
                id,
                ...input,
                state: "reading",
                created_by: actor.userId,
                created_at: ctx.now(),
                file_name: file.fileName.slice(0, 120),
                file_key: file.key,
                file_size: file.size,
              }),
            ],
          }),
      });
      if (!stored.ok || stored.value !== id) ctx.after(ctx.files.delete([file.key]));
      if (!stored.ok) return reject(NOT_UPLOADED);
      await begin(ctx, { id: stored.value, file_size: file.size });
      return done({ to: importPath(stored.value) });
    },
  },
});

const VersionForm = absentAsEmpty(["version"], z.object({ version: versionField }));

const ColumnsForm = absentAsEmpty(
  ["version", "dates", "organization_id"],
  z.object({
    version: versionField,
    dates: z.enum(DATE_ORDERS).or(z.literal("").transform(() => null)),
    organization_id: z
      .string()
      .refine((id) => id === "" || isId("org", id))
      .transform((id) => id || null),
  }),
);

type Params = { importId: string };

/** Reads what was chosen for columns and words; whatever no page of ours offers is left out. */
function chosenMapping(
  kind: ImportKind,
  facts: FileFacts,
  staff: readonly StaffMember[],
  {
    lists: { column = [], word: words = [] },
    input,
  }: { lists: Record<string, string[]>; input: z.output<typeof ColumnsForm> },
): Mapping {
  const known: readonly string[] = IMPORT_FIELDS[kind];
  const fields = facts.columns.map((_, index) => {
    const field = column[index] ?? "";
    return known.includes(field) ? (field as ImportField) : "";
  });
  const { dates, organization_id: organizationId } = input;
  const chosen: Mapping = { fields, dates, organizationId, words: { status: {}, priority: {}, assignee: {} } };
  const asked = wordsIn(facts, fields);
  for (const each of words) {
    const [, field, word, meaning] = /^([a-z]+)\|(.*)\|([^|]*)$/s.exec(each) ?? [];
    const one = asked.find((candidate) => candidate.field === field && candidate.word === word);
    if (one && meaning !== undefined && isMeaning(one.field, meaning, staff))
      chosen.words[one.field][one.word] = meaning;
  }
  return chosen;
}

function isMeaning(field: WordField, meaning: string, staff: readonly StaffMember[]): boolean {
  if (field === "assignee") return meaning === "" || staff.some(({ id }) => id === meaning);
  const meanings: readonly string[] = field === "status" ? IMPORTED_STATUSES : TICKET_PRIORITIES;
  return meanings.includes(meaning);
}

function mappingErrors(kind: ImportKind, facts: FileFacts, mapping: Mapping): FieldErrors {
  const { fields, dates } = mapping;
  const errors: FieldErrors = {};
  for (const [index, field] of fields.entries())
    if (field && fields.indexOf(field) !== index) errors[`column_${index}`] = FIELD_TWICE;
  for (const needed of REQUIRED_FIELDS[kind])
    if (!needed.some((field) => fields.includes(field))) errors.form = missingField(needed);
  if (dates === null && needsDates(facts, mapping)) errors.dates = CHOOSE_DATES;
  for (const { field, word } of unknownWords(facts, mapping)) errors[wordName(field, word)] = CHOOSE_MEANING;
  return errors;
}

/** A choice counts before a name that is typed beside it; what has neither stays as it was. */
async function chosenNames(
  { db }: Ctx,
  names: Mapping["names"],
  { organization: chosen = [], typed = [] }: Record<string, string[]>,
): Promise<{ remembered: RememberedWord[]; errors: FieldErrors }> {
  const found = await db.all<{ id: string; folded: string }>(sql`
    SELECT o.id, o.search_name AS folded FROM json_each(${JSON.stringify(typed.map(fold))}) n
    CROSS JOIN organizations o ON o.name_key = substr(n.value, 1, 60) AND o.search_name = n.value WHERE n.value <> ''
    UNION SELECT o.id, '' FROM json_each(${JSON.stringify(chosen)}) n CROSS JOIN organizations o ON o.id = n.value`);
  const errors: FieldErrors = {};
  const remembered: RememberedWord[] = [];
  for (const [index, name] of namesAsked(names).entries()) {
    const [choice = "", text = ""] = [chosen[index], fold(typed[index] ?? "")];
    const called = found.filter(({ folded }) => text !== "" && folded === text);
    const isKnown = choice === "make" || choice === "leave" || found.some(({ id }) => id === choice);
    const meaning = isKnown ? choice : called[0]?.id;
    if (!isKnown && called.length > 1) errors[`typed_${index}`] = SEVERAL_SUCH;
    else if (meaning !== undefined) remembered.push({ field: "organization", word: fold(name), meaning });
    else if (text !== "") errors[`typed_${index}`] = NO_SUCH_ORGANIZATION;
  }
  return { remembered, errors };
}

type RememberedWord = { field: string; word: string; meaning: string | undefined };

const wordsRemembered = ({ db }: Ctx, { preset }: StoredImport, words: readonly RememberedWord[]) =>
  jsonParameters(words).map((text) =>
    db
      .insert(importWords)
      .select(sql`SELECT ${preset}, value ->> 'field', value ->> 'word', value ->> 'meaning'
        FROM json_each(${text}) WHERE value ->> 'meaning' IS NOT NULL`)
      .onConflictDoUpdate({
        target: [importWords.source, importWords.field, importWords.word],
        set: { meaning: sql`excluded.meaning` },
      }),
  );

const meanwhile = (title: string) =>
  conflict<ValidationError>({ title, errors: { form: CHANGED_MEANWHILE }, values: {} });

/** `version` null: wherever it is by now, in its state. */
type Seen = { version: number | null; nonce: string; scope: string };
type Move = Seen & { set: Partial<StoredImport>; statements?: Statement[] };

/** Moves an import on, if it is where its reader has seen it. */
async function move(
  ctx: Ctx,
  order: StoredImport,
  { version, nonce, scope, set, statements = [] }: Move,
): Promise<boolean> {
  const moved = await runCommand(
    ctx,
    { scope, key: `${nonce}:${order.id}` },
    {
      read: () => findImport(ctx.db, order.id),
      plan: (found): Planned<"meanwhile"> => {
        if (found?.state !== order.state || found.version !== (version ?? found.version)) return fail("meanwhile");
        return ok({
          resultId: order.id,
          expects: [{ that: isActiveAdmin(ctx.signedIn?.userId ?? ""), otherwise: "meanwhile" }],
          statements: [
            ctx.db
              .update(imports)
              .set({ ...set, version: found.version + 1 })
              .where(and(eq(imports.id, order.id), eq(imports.version, found.version))),
            expectChange(ctx.db),
            ...statements,
          ],
        });
      },
    },
  );
  return moved.ok;
}

/** Moves it on, and begins the work. `title`: what is said where somebody was faster. */
async function start(ctx: Ctx, order: StoredImport, title: string, change: Move) {
  if (!(await move(ctx, order, change))) return meanwhile(title);
  await begin(ctx, order);
  return done({ to: importPath(order.id) });
}

/** The dry run with what was answered, which is remembered. */
const dryRun = (ctx: Ctx, order: StoredImport, mapping: Mapping, remembered: readonly RememberedWord[]) => ({
  set: { mapping_json: JSON.stringify(mapping), state: "checking" as const, position: 0, rows: 0 },
  statements: [
    ctx.db.delete(importRows).where(eq(importRows.import_id, order.id)),
    ...wordsRemembered(ctx, order, remembered),
  ],
});

const auditOf = (
  ctx: Ctx,
  action: "settings.import_started" | "settings.import_undone",
  { kind }: StoredImport,
  rows: number,
) => recordAudit(ctx, action, { subject: { type: "settings", id: "import", label: null }, meta: { rows, kind } });

type ImportAction<Input> = FormAction<StaffActor, Params, ValidationError, Input>;

/** A form about an import that is here. `title`: what is said where it is not taken. */
const step = <Input>(
  purpose: string,
  title: string,
  form: z.ZodType<Input>,
  run: (
    order: StoredImport,
    ...posted: Parameters<ImportAction<Input>["run"]>
  ) => ReturnType<ImportAction<Input>["run"]>,
): ImportAction<Input> => ({
  ...{ ability: "import.run", purpose, form, invalid: invalidForm(title) },
  run: async (ctx, actor, posted) => {
    const order = await findImport(ctx.db, posted.params.importId);
    return order ? run(order, ctx, actor, posted) : notFound();
  },
});

export const importActions = formActions<StaffActor, Params, ValidationError>({
  failed: "Failed to update the import",
  reading: { raw: ["current_password"], lists: ["column", "word", "organization", "typed"] },
  secrets: ["current_password", "code"],
})({
  check: step("import-columns", COLUMNS_NOT_SAVED, ColumnsForm, async (order, ctx, _actor, { input, lists, nonce }) => {
    const { version } = input;
    if (order.state === "checking") return done({ to: importPath(order.id) });
    if (order.state !== "columns" || order.version !== version || !order.file_json) return meanwhile(COLUMNS_NOT_SAVED);
    const facts: FileFacts = JSON.parse(order.file_json);
    const chosen = chosenMapping(order.kind, facts, await listStaff(ctx.db), { lists, input });
    const mapping = await withWords(ctx.db, order.preset, facts, chosen);
    const errors = mappingErrors(order.kind, facts, mapping);
    // What comes back is sent again under its token.
    const seen = { version, nonce: `${nonce}:${version}`, scope: "import-columns" };
    if (Object.keys(errors).length > 0) {
      const isSaved = await move(ctx, order, { ...seen, set: { mapping_json: JSON.stringify(mapping) } });
      return isSaved ? invalid({ title: COLUMNS_NOT_SAVED, errors, values: {} }) : meanwhile(COLUMNS_NOT_SAVED);
    }
    const remembered = wordsIn(facts, mapping.fields).map(({ field, word }) => ({
      field,
      word,
      meaning: mapping.words[field][word],
    }));
    return start(ctx, order, COLUMNS_NOT_SAVED, { ...seen, ...dryRun(ctx, order, mapping, remembered) });
  }),
  names: step("import-names", NAMES_NOT_SAVED, VersionForm, async (order, ctx, _actor, { input, lists, nonce }) => {
    const { version } = input;
    if (order.state === "checking") return done({ to: importPath(order.id) });
    if (order.state !== "checked" || order.version !== version) return meanwhile(NAMES_NOT_SAVED);
    const { names, ...mapping }: Mapping = JSON.parse(order.mapping_json ?? "{}");
    const { remembered, errors } = await chosenNames(ctx, names, lists);
    if (Object.keys(errors).length > 0) {
      const given = Object.entries(lists).flatMap(([name, list]) => list.map((text, at) => [`${name}_${at}`, text]));
      return invalid({ title: NAMES_NOT_SAVED, errors, values: Object.fromEntries(given) });
    }
    const seen = { version, nonce: `${nonce}:${version}`, scope: "import-names" };
    return start(ctx, order, NAMES_NOT_SAVED, { ...seen, ...dryRun(ctx, order, mapping, remembered) });
  }),
  columns: step("import-back", NOT_IMPORTED, VersionForm, async (order, ctx, _actor, { input: { version }, nonce }) => {
    const facts: FileFacts = JSON.parse(order.file_json ?? '{"rows":0}');
    const isBack =
      order.state === "checked" &&
      (await move(ctx, order, { version, nonce, scope: "import-back", set: { state: "columns", rows: facts.rows } }));
    return isBack || order.state === "columns" ? done({ to: importPath(order.id) }) : meanwhile(NOT_IMPORTED);
  }),
  run: step(
    "import-run",
    NOT_IMPORTED,
    VersionForm,
    async (order, ctx, actor, { input: { version }, nonce, fields }) => {
      if (order.state === "running" || order.state === "done") return done({ to: importPath(order.id) });
      if (order.state !== "checked") return meanwhile(NOT_IMPORTED);
      const unproven = await missingProof(ctx, actor, { fields });
      if (unproven) return unproven;
      return start(ctx, order, NOT_IMPORTED, {
        ...{ version, nonce, scope: "import-run" },
        set: { state: "running", started_at: ctx.now(), position: 0 },
        statements: [auditOf(ctx, "settings.import_started", order, order.rows)],
      });
    },
  ),
  undo: step("import-undo", NOT_UNDONE, VersionForm, async (order, ctx, actor, { nonce, fields }) => {
    if (order.state === "undoing" || order.state === "undone") return done({ to: importPath(order.id) });
    const isStopped = order.state === "failed" && order.started_at !== null;
    if (order.state !== "running" && order.state !== "done" && !isStopped) return meanwhile(NOT_UNDONE);
    if (order.finished_at !== null && undoUntil(order.finished_at) < ctx.now())
      return conflict({ title: NOT_UNDONE, errors: { form: UNDO_TOO_LATE }, values: {} });
    const unproven = await missingProof(ctx, actor, { fields });
    if (unproven) return unproven;
    return start(ctx, order, NOT_UNDONE, {
      // A run that is under way moves it on all the time: it is stopped wherever it is.
      ...{ version: null, nonce, scope: "import-undo" },
      set: { state: "undoing", failures: 0, position: 0 },
      statements: [auditOf(ctx, "settings.import_undone", order, order.added)],
    });
  }),
  discard: {
    ability: "import.run",
    purpose: "import-discard",
    form: VersionForm,
    invalid: invalidForm(NOT_UNDONE),
    run: async (ctx, _actor, { params: { importId } }) => {
      const order = await findImport(ctx.db, importId);
      if (!order) return done({ to: IMPORT_PATH });
      const isUnused = inArray(imports.state, ["reading", "columns", "checking", "checked", "failed"]);
      await ctx.db.delete(imports).where(and(eq(imports.id, importId), isUnused, sql`started_at IS NULL`));
      if (await findImport(ctx.db, importId)) return meanwhile(NOT_UNDONE);
      const keys = importKeysOf(order);
      if (keys.length > 0) ctx.after(ctx.files.delete(keys));
      return done({ to: IMPORT_PATH });
    },
  },
});
