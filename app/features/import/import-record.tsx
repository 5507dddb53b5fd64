import { IdentityQuestion, methodPath } from "~/features/account/identity-fields";
import { PRIORITY_LABELS, TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import { TICKET_PRIORITIES } from "~/features/tickets/model";
import { staffTicketPath } from "~/features/tickets/paths";
import { withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import { fileSize, plural } from "~/lib/text";
import { ButtonRow } from "~/ui/button";
import { cx } from "~/ui/cx";
import { ErrorSummary, Field, Form, formKey, Input, Select, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { useLooksAgain } from "~/ui/looks-again";
import { Panel } from "~/ui/page";
import { StatCards } from "~/ui/stat-cards";
import { DataTable } from "~/ui/table";
import { Time } from "~/ui/text";
import type { ImportView } from "./import-page.server";
import {
  countedRows,
  DATE_LABELS,
  FIELD_LABELS,
  INVITE_PEOPLE,
  LONG_WORK,
  NAMES_NOT_SAVED,
  NEW_NUMBERS,
  NO_COLLEAGUE,
  NONE_AS_IT_IS,
  NOTHING_NEW,
  OUTCOME_LABELS,
  PRESET_LABELS,
  STEP_LABELS,
  UNDO_TOO_LATE,
  WORD_LABELS,
  wordName,
} from "./labels";
import {
  DATE_ORDERS,
  type FileFacts,
  IMPORT_FIELDS,
  IMPORTED_STATUSES,
  type ImportState,
  isImportActive,
  type WordField,
} from "./model";
import { INVITE_PEOPLE_PATH, importOutcomesPath, importPath } from "./paths";

type ColumnsData = NonNullable<ImportView["columns"]>;
type NamesData = NonNullable<ImportView["names"]>;

const STEPS = ["upload", "columns", "dryRun", "import"] as const;

const STEP_OF: Record<ImportState, (typeof STEPS)[number]> = {
  reading: "upload",
  columns: "columns",
  checking: "dryRun",
  checked: "dryRun",
  running: "import",
  done: "import",
  undoing: "import",
  undone: "import",
  failed: "upload",
};

export function ImportSteps({ state }: { state: ImportState }) {
  const current = STEPS.indexOf(STEP_OF[state]);
  return (
    <ol className="grid grid-cols-4 gap-2 border-line border-b max-sm:grid-cols-2" aria-label="Steps">
      {STEPS.map((step, index) => (
        <li
          key={step}
          className={cx("py-2", index === current ? "border-brand border-b-3 font-semibold" : "text-ink-2")}
          aria-current={index === current ? "step" : undefined}
        >
          {index + 1}. {STEP_LABELS[step]}
          {index < current ? <span className="sr-only"> (done)</span> : null}
        </li>
      ))}
    </ol>
  );
}

export function ImportRecord({ view }: { view: ImportView }) {
  const { state } = view;
  const isStopped = state === "failed" && view.startedAt !== null;
  useLooksAgain(isImportActive(state));
  return (
    <>
      {isImportActive(state) ? <ProgressPanel view={view} /> : null}
      {view.columns ? <ColumnsPanel view={view} columns={view.columns} /> : null}
      {state === "failed" ? <ProblemPanel view={view} /> : null}
      {state === "done" || state === "undone" ? <ResultPanel view={view} /> : null}
      {state === "checked" || state === "done" || state === "undone" ? <OutcomesPanel view={view} /> : null}
      {view.names ? <NamesPanel view={view} names={view.names} /> : null}
      {state === "checked" ? <RunPanel view={view} /> : null}
      {state === "done" || state === "running" || isStopped ? <UndoPanel view={view} /> : null}
      {view.startedAt === null ? <DiscardForm view={view} /> : null}
    </>
  );
}

function ProgressPanel({ view }: { view: ImportView }) {
  const { id, kind, state, fileName, fileSize: size, rows, totalRows, messages, done, toDo } = view;
  const of = (count: number, all: string) => `${count.toLocaleString("en-US")} of ${all}`;
  const progress = {
    reading: { title: "Reading the file", text: `${fileName}, ${fileSize(size)}: ${plural(rows, "row")} so far` },
    checking: { title: "Dry run", text: of(rows, plural(totalRows, "row")) },
    running: {
      title: "Importing",
      text: of(done, countedRows(kind, toDo)) + (messages > 0 ? `, ${plural(messages, "message")}` : ""),
    },
    // With the people who became known by tickets, and messages that came later.
    undoing: { title: "Undoing", text: of(done, plural(toDo, "entry", "entries")) },
  }[state as "reading" | "checking" | "running" | "undoing"];
  return (
    <Panel id="progress" title={progress.title}>
      <p className="mb-1" role="status">
        {progress.text}
      </p>
      <progress className="h-3 w-full accent-brand" aria-label={progress.title} value={done} max={Math.max(1, toDo)} />
      <p className="mt-3 text-ink-2">{LONG_WORK}</p>
      <p className="mt-2">
        <Link to={importPath(id)}>Reload for the newest numbers</Link>
      </p>
    </Panel>
  );
}

const ENCODINGS: Record<FileFacts["encoding"], string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16, as Excel writes it",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252, as Excel writes it",
};

const DELIMITERS: Record<string, string> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

const hiddenFields = (view: ImportView, intent: string) => (
  <>
    <input type="hidden" name="intent" value={intent} />
    <input type="hidden" name="version" value={view.version} />
  </>
);

function ColumnsPanel({ view, columns }: { view: ImportView; columns: ColumnsData }) {
  const path = importPath(view.id);
  const failed = useFormResult<ValidationError>(formKey(path, "check"));
  const errors = failed?.errors ?? {};
  const { facts, mapping, organizations, needsDates } = columns;
  const options = [
    { value: "", label: "Leave out" },
    ...IMPORT_FIELDS[view.kind].map((value) => ({ value, label: FIELD_LABELS[value] })),
  ];
  const known = mapping.fields.filter(Boolean).length;
  return (
    <Form
      action={path}
      token={view.tokens.check ?? undefined}
      name="check"
      staysFilled
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      {hiddenFields(view, "check")}
      {failed ? <ErrorSummary title={failed.title} errors={errors} /> : null}
      <Panel id="columns" title="Which column is what?">
        <p className="mb-4 text-ink-2">
          {view.fileName}: {plural(facts.rows, "row")}
          {facts.format === "csv"
            ? `, ${DELIMITERS[facts.delimiter] ?? facts.delimiter}, ${ENCODINGS[facts.encoding]}`
            : ", NDJSON"}
          . {known} of {plural(facts.columns.length, "column")} known
          {view.preset === "generic" ? "" : ` from ${PRESET_LABELS[view.preset]}`}.
        </p>
        <ul className="grid gap-3">
          {facts.columns.map((column, index) => (
            <li
              key={column.name}
              className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)_minmax(0,1.3fr)] items-center gap-3 border-line border-b pb-3 last:border-0 last:pb-0 max-md:grid-cols-1 max-md:gap-1"
            >
              <Field
                name="column"
                id={`column_${index}`}
                label={column.name}
                error={errors[`column_${index}`]}
                className="col-span-2 grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] items-center max-md:col-span-1 max-md:grid-cols-1"
              >
                <Select options={options} defaultValue={mapping.fields[index] ?? ""} />
              </Field>
              <span className="wrap-anywhere text-ink-2 text-sm">
                {column.first || "(empty)"}
                <span className="block text-ink-3 text-xs">{column.filled.toLocaleString("en-US")} filled</span>
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel id="how" title="How to read them">
        <div className="grid max-w-160 gap-4">
          <Field
            name="dates"
            label="Dates"
            hint={
              needsDates
                ? "From its digits alone, 03/04/2025 can be two days."
                : "Dates such as 2025-04-03 are clear as they are."
            }
            error={errors.dates}
          >
            <Select
              options={[
                { value: "", label: needsDates ? "Choose…" : "As they are" },
                ...DATE_ORDERS.map((value) => ({ value, label: DATE_LABELS[value] })),
              ]}
              defaultValue={mapping.dates ?? ""}
            />
          </Field>
          {view.kind === "organizations" ? null : (
            <Field
              name="organization_id"
              label="Rows without an organization belong to"
              hint="Otherwise the requester's address decides."
            >
              <Select
                options={[
                  { value: "", label: "No organization" },
                  ...organizations.map(({ id: value, name: label }) => ({ value, label })),
                ]}
                defaultValue={mapping.organizationId ?? ""}
              />
            </Field>
          )}
        </div>
      </Panel>
      {columns.words.length > 0 ? <WordsPanel columns={columns} errors={errors} /> : null}
      <ButtonRow>
        <SubmitButton pendingLabel="Trying…">Try it: dry run</SubmitButton>
        <span className="text-ink-2 text-sm">Nothing is written yet.</span>
      </ButtonRow>
    </Form>
  );
}

function WordsPanel({
  columns: { words, staff },
  errors,
}: {
  columns: ColumnsData;
  errors: ValidationError["errors"];
}) {
  const choices: Record<WordField, { value: string; label: string }[]> = {
    status: IMPORTED_STATUSES.map((value) => ({ value, label: TICKET_STATUS_LABELS[value] })),
    priority: TICKET_PRIORITIES.map((value) => ({ value, label: PRIORITY_LABELS[value] })),
    assignee: [{ value: "", label: NO_COLLEAGUE }, ...staff.map(({ id: value, name: label }) => ({ value, label }))],
  };
  return (
    <Panel id="words" title="What their words mean here">
      <p className="mb-4 text-ink-2">
        Asked once, and remembered. What was resolved there is closed here: no one is asked again.
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-4">
        {words.map(({ field, word, meaning }) => {
          const name = wordName(field, word);
          const prefix = `${field}|${word}|`;
          const offered = choices[field].map(({ value, label }) => ({ value: prefix + value, label }));
          return (
            <Field key={name} name="word" id={name} label={`${WORD_LABELS[field]}: ${word}`} error={errors[name]}>
              <Select
                options={meaning === null ? [{ value: "", label: "Choose…" }, ...offered] : offered}
                defaultValue={meaning === null ? "" : prefix + meaning}
              />
            </Field>
          );
        })}
      </div>
    </Panel>
  );
}

/** Without scripts each form of the page gets what was refused. */
const isOfNames = (answer: ValidationError | undefined): boolean => answer?.title === NAMES_NOT_SAVED;

function NamesPanel({ view, names: { organizations, isTyped, asked } }: { view: ImportView; names: NamesData }) {
  const path = importPath(view.id);
  const answer = useFormResult<ValidationError>(formKey(path, "names"));
  const failed = isOfNames(answer) ? answer : undefined;
  const { errors = {}, values = {} } = failed ?? {};
  const make = { value: "make", label: "Make it" };
  const others = [
    { value: "leave", label: "Leave out its rows" },
    ...organizations.map(({ id: value, name: label }) => ({ value, label })),
  ];
  const undecided = { value: "", label: isTyped ? "One that is here" : "Choose…" };
  return (
    <Panel id="names" title="Which organizations does the file mean?">
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <p className="mb-4 text-ink-2">Asked once, and remembered. The dry run then starts again.</p>
      <Form action={path} token={view.tokens.names ?? undefined} name="names" staysFilled className="grid gap-4">
        {hiddenFields(view, "names")}
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4">
          {asked.map(({ name, meaning, typed, isSeveral }, index) => (
            <div key={name} className="grid content-start gap-2">
              <Field name="organization" id={`organization_${index}`} label={name}>
                <Select
                  options={[
                    ...(meaning === null || isTyped ? [undecided] : []),
                    ...(isSeveral ? others : [make, ...others]),
                  ]}
                  defaultValue={values[`organization_${index}`] ?? (typed === null ? meaning : null) ?? ""}
                />
              </Field>
              {isTyped ? (
                <Field name="typed" id={`typed_${index}`} label="Here it is called" error={errors[`typed_${index}`]}>
                  <Input defaultValue={values[`typed_${index}`] ?? typed ?? ""} maxLength={200} autoComplete="off" />
                </Field>
              ) : null}
            </div>
          ))}
        </div>
        <ButtonRow dense>
          <SubmitButton variant="quiet" pendingLabel="Trying…">
            Try again with these
          </SubmitButton>
        </ButtonRow>
      </Form>
    </Panel>
  );
}

function ProblemPanel({ view }: { view: ImportView }) {
  return (
    <Panel id="problem" title={view.startedAt === null ? "The file cannot be imported" : "The import has stopped"}>
      <p>{view.problem}.</p>
    </Panel>
  );
}

function OutcomesPanel({ view }: { view: ImportView }) {
  const { id, outcomes, state } = view;
  if (!outcomes) return null;
  const { counts, rows, next, isFailing } = outcomes;
  const path = importPath(id);
  const isOver = state !== "checked";
  return (
    <>
      <StatCards
        label="Outcomes"
        items={[
          { label: isOver ? "were added as they are" : "will be added as they are", value: counts.add },
          { label: isOver ? "were added with a change" : "come with a change, listed below", value: counts.noted },
          { label: "exist already, left as they are", value: counts.exists },
          {
            label: isOver ? "were not imported" : "cannot be imported",
            value: counts.refused,
          },
        ]}
      />
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        {isFailing ? (
          <Link to={path}>All rows worth a look</Link>
        ) : (
          <Link to={withParams(path, { only: "refused" })}>Only what fails</Link>
        )}
        <Link to={importOutcomesPath(id)}>Download all outcomes (CSV)</Link>
      </p>
      <DataTable
        id="rows"
        caption={isFailing ? "Rows that fail" : "Rows worth a look"}
        columns={[
          { label: "Row", cell: ({ row }) => row.toLocaleString("en-US"), noWrap: true, labelled: true },
          {
            label: "In your file",
            cell: ({ label }) => <span className="wrap-anywhere">{label}</span>,
            header: true,
            wide: true,
          },
          {
            label: "What happens",
            cell: ({ outcome, ticket }) => (
              <>
                <span className={outcome === "refused" ? "font-semibold text-danger" : undefined}>
                  {OUTCOME_LABELS[outcome]}
                </span>
                {ticket === null ? null : (
                  <>
                    {": "}
                    <Link to={staffTicketPath(referenceNumber("ticket", ticket))}>
                      {referenceNumber("ticket", ticket)}
                    </Link>
                  </>
                )}
              </>
            ),
            labelled: true,
          },
          {
            label: "Why",
            cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
            wide: true,
            labelled: true,
          },
        ]}
        rows={rows}
        rowKey={({ row }) => `row-${row}`}
        empty={<p>{isFailing ? "No row fails." : "No row needs a look."}</p>}
      />
      {next === null ? null : (
        <p>
          <Link to={withParams(path, { ...(isFailing ? { only: "refused" } : {}), after: String(next) })}>
            Next rows
          </Link>
        </p>
      )}
    </>
  );
}

function RunPanel({ view }: { view: ImportView }) {
  const { id, kind, outcomes, identity, tokens } = view;
  const page = importPath(id);
  const path = methodPath(page, identity?.method);
  const answer = useFormResult<ValidationError>(formKey(path, "run"));
  const failed = isOfNames(answer) ? undefined : answer;
  const errors = failed?.errors ?? {};
  const count = (outcomes?.counts.add ?? 0) + (outcomes?.counts.noted ?? 0);
  return (
    <Panel id="run" title={STEP_LABELS.import}>
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      {count === 0 ? <p className="mb-3">{outcomes?.counts.refused ? NONE_AS_IT_IS : NOTHING_NEW}</p> : null}
      {count > 0 && kind === "tickets" ? <p className="mb-3">{NEW_NUMBERS}</p> : null}
      {count > 0 ? (
        <Form action={path} token={tokens.run ?? undefined} name="run" className="mb-3 grid max-w-160 gap-4">
          {hiddenFields(view, "run")}
          <IdentityQuestion identity={identity} page={page} errors={errors} />
          <ButtonRow dense>
            <SubmitButton pendingLabel="Importing…">{`Import ${countedRows(kind, count)}`}</SubmitButton>
            <span className="text-ink-2 text-sm">You can leave the page. Undo for 24 hours.</span>
          </ButtonRow>
        </Form>
      ) : null}
      <Form action={page} token={tokens.columns ?? undefined} name="columns">
        {hiddenFields(view, "columns")}
        <SubmitButton variant="quiet">Back to the columns</SubmitButton>
      </Form>
    </Panel>
  );
}

function ResultPanel({ view }: { view: ImportView }) {
  const { kind, state, added, messages, removed, kept } = view;
  return (
    <Panel
      id="result"
      title={state === "done" ? `${countedRows(kind, added)} added` : `${countedRows(kind, removed)} taken away again`}
    >
      {state === "done" ? (
        <p>
          {messages > 0 ? `With ${plural(messages, "message")}. ` : ""}
          {kind === "tickets" ? "Search finds the old numbers too. " : ""}
          The same file, or a newer one, adds only what is new.
          {kind === "organizations" ? null : (
            <>
              {" "}
              <Link to={INVITE_PEOPLE_PATH}>{INVITE_PEOPLE}</Link>
            </>
          )}
        </p>
      ) : (
        <p>
          {kept > 0
            ? `${countedRows(kind, kept)} had been changed since, and stay. The rest is as it was before.`
            : "Everything is as it was before the import."}
        </p>
      )}
    </Panel>
  );
}

function UndoPanel({ view }: { view: ImportView }) {
  const { id, kind, added, canUndo, undoUntil, zone, changed, identity, tokens } = view;
  const page = withParams(importPath(id), { undo: "1" });
  const path = methodPath(page, identity?.method);
  const failed = useFormResult<ValidationError>(formKey(path, "undo"));
  const errors = failed?.errors ?? {};
  if (!canUndo)
    return (
      <Panel id="undo" title={STEP_LABELS.undo}>
        <p>{UNDO_TOO_LATE}</p>
      </Panel>
    );
  return (
    <Panel id="undo" title={STEP_LABELS.undo}>
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <p className="mb-2">
        Everything this import added goes; what was here before stays exactly as it was.
        {undoUntil === null ? null : (
          <>
            {" "}
            Until <Time at={undoUntil} zone={zone} />.
          </>
        )}
      </p>
      {changed ? (
        <>
          {changed.count > 0 ? (
            <p className="mb-3">
              <b>{countedRows(kind, changed.count)} changed since: they stay.</b>{" "}
              {changed.tickets.map((number, index) => (
                <span key={number}>
                  {index > 0 ? ", " : ""}
                  <Link to={staffTicketPath(referenceNumber("ticket", number))}>
                    {referenceNumber("ticket", number)}
                  </Link>
                </span>
              ))}
            </p>
          ) : null}
          <Form action={path} token={tokens.undo ?? undefined} name="undo" className="grid max-w-160 gap-4">
            {hiddenFields(view, "undo")}
            <IdentityQuestion identity={identity} page={page} errors={errors} />
            <ButtonRow dense>
              <SubmitButton variant="danger" pendingLabel="Undoing…">
                {view.state === "running"
                  ? "Stop and undo"
                  : `Undo: remove ${countedRows(kind, Math.max(0, added - changed.count))}`}
              </SubmitButton>
            </ButtonRow>
          </Form>
        </>
      ) : (
        <p>
          <Link to={page}>{view.state === "running" ? "Stop and undo…" : "Undo this import…"}</Link>
        </p>
      )}
    </Panel>
  );
}

function DiscardForm({ view }: { view: ImportView }) {
  return (
    <Form action={importPath(view.id)} token={view.tokens.discard ?? undefined} name="discard">
      {hiddenFields(view, "discard")}
      <SubmitButton variant="quiet">Discard this file</SubmitButton>
    </Form>
  );
}
