import { Fragment, type ReactNode } from "react";
import { CAPTURED_MAIL_PATH } from "~/features/mail/model";
import { MAIL_SETUP_PATH } from "~/features/settings/paths";
import { ButtonRow, LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, Input, Select, SubmitButton, useFormResult } from "~/ui/form";
import { Panel } from "~/ui/page";
import { StateText, StatusPill, type Tone, ToneIcon } from "~/ui/status-pill";
import { type Column, DataTable } from "~/ui/table";
import { Mono, Time } from "~/ui/text";
import type { DirectionState, DirectionView, MailSetupError, WantedRow } from "./model";
import type { readMailSetup } from "./setup-page.server";

type MailSetupProps = Awaited<ReturnType<typeof readMailSetup>> & { zone: string };

export function MailSetup(setup: MailSetupProps) {
  const { zone, token, checkedAt, sender, inbound, support, isLocal, isProven, recipients, out, back, code, rows } =
    setup;
  const right = rows.filter(({ state }) => state === "right").length;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-lg">Mail, both directions</h2>
        <span className="text-ink-2 text-sm">
          {sender}, checked <Time at={checkedAt} zone={zone} mode="time" />
        </span>
        <LinkButton variant="quiet" size="sm" className="md:ml-auto" to={MAIL_SETUP_PATH}>
          Check again
        </LinkButton>
      </div>
      <div className="grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-2 gap-4">
        <Panel id="mail-out" title="Out: we write to you">
          <Direction {...out} zone={zone}>
            {code === null ? null : <ConfirmForm token={token} code={code} isExpected={out.state === "waiting"} />}
            <TestForm token={token} intent="test_out" state={out.state}>
              {recipients.length > 1 ? (
                <Field name="to" label="To">
                  <Select options={recipients.map((value) => ({ value, label: value }))} />
                </Field>
              ) : (
                <input type="hidden" name="to" value={recipients[0]} />
              )}
            </TestForm>
            {isLocal ? (
              <p className="text-ink-2 text-sm">
                On this machine mail is only kept: <a href={CAPTURED_MAIL_PATH}>captured mail</a> has it, with its code.
              </p>
            ) : null}
          </Direction>
        </Panel>
        <Panel id="mail-in" title="In: an answer comes back">
          <Direction {...back} zone={zone}>
            {inbound === null ? null : (
              <>
                <TestForm token={token} intent="test_in" state={back.state} />
                <p className="text-ink-2 text-sm">One mail to ourselves, the way an answer of a client would come.</p>
                {isProven && back.state !== "proven" ? (
                  <Form action={MAIL_SETUP_PATH} name="forget_in" token={token}>
                    <SubmitButton variant="quiet" size="sm" name="intent" value="forget_in">
                      Ask for no answers by mail
                    </SubmitButton>
                  </Form>
                ) : null}
              </>
            )}
          </Direction>
        </Panel>
      </div>
      <DataTable
        id="mail-wanted"
        caption={`DNS and routing, wanted and found: ${right} of ${rows.length} right`}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ name }) => name}
        empty={null}
      />
      <details className="rounded-3 border border-line bg-sheet px-[1.15rem] py-[0.9rem]">
        <summary className="font-semibold">Your mailbox stays somewhere else?</summary>
        <div className="mt-3 grid max-w-160 gap-3">
          <p>
            Keep it, and let a domain of its own lead here, such as <Mono>in.{sender}</Mono>: set it as
            MAIL_INBOUND_DOMAIN. Then add one forwarding rule in the mailbox: everything to{" "}
            <b className="wrap-anywhere">{support ?? `support@in.${sender}`}</b>, and keep a copy.
          </p>
          <p className="text-ink-2 text-sm">
            Many hosts switch such rules off until an administrator allows them: in Microsoft 365 under Defender,
            Anti-spam policies, Outbound, Automatic forwarding; in Google Workspace under Gmail, End User Access.
            Forwarding breaks SPF, not DKIM. If the host rewrites the subject or adds a banner, switch that off for this
            rule. Mail that fails SPF and DKIM never arrives: printers and old servers need another way in.
          </p>
        </div>
      </details>
    </>
  );
}

const TONES: Record<DirectionState, Tone> = {
  off: "closed",
  new: "open",
  waiting: "progress",
  proven: "resolved",
  failed: "waiting",
};

function Direction({
  state,
  words,
  steps,
  hint,
  zone,
  children,
}: DirectionView & { zone: string; children: ReactNode }) {
  const first = steps[0]?.at ?? null;
  return (
    <div className="grid gap-4">
      <p className="text-lg" aria-live="polite">
        <StateText tone={TONES[state]}>
          <ToneIcon tone={TONES[state]} size="1.2em" /> {words}
        </StateText>
      </p>
      {steps.length > 0 ? (
        <ol className="*:grid *:grid-cols-[6.75rem_minmax(0,1fr)] *:gap-x-3 *:border-line *:border-b *:py-2 *:last:border-b-0">
          {steps.map(({ at, text }, index) => (
            <li key={text}>
              <span className="text-ink-2 text-sm">
                {at === null ? "–" : index === 0 ? <Time at={at} zone={zone} mode="short" /> : after(at, first)}
              </span>
              <span className="wrap-anywhere">{breakable(text)}</span>
            </li>
          ))}
        </ol>
      ) : null}
      {hint ? <p className="text-ink-2">{hint}</p> : null}
      {children}
    </div>
  );
}

const after = (at: number, first: number | null): string =>
  `+ ${Math.max(0, Math.round((at - (first ?? at)) / 1000)).toLocaleString("en-US")} s`;

/** Without scripts the page has one answer, which belongs to one of its forms. */
function useFailure(form: string): MailSetupError | undefined {
  const failed = useFormResult<MailSetupError>(formKey(MAIL_SETUP_PATH, form));
  return failed?.form === form ? failed : undefined;
}

type TestFormProps = { token: string; intent: "test_out" | "test_in"; state: DirectionState; children?: ReactNode };

function TestForm({ token, intent, state, children }: TestFormProps) {
  const failed = useFailure(intent);
  return (
    <Form action={MAIL_SETUP_PATH} name={intent} token={token} className="grid gap-3">
      {failed ? <ErrorSummary title={failed.title} errors={failed.errors} /> : null}
      {children}
      <ButtonRow>
        <SubmitButton
          variant={state === "proven" || (intent === "test_out" && state === "waiting") ? "quiet" : "primary"}
          name="intent"
          value={intent}
          pendingLabel="Sending…"
        >
          {state === "new" ? "Send a test mail" : "Prove it again"}
        </SubmitButton>
      </ButtonRow>
    </Form>
  );
}

function ConfirmForm({ token, code, isExpected }: { token: string; code: string; isExpected: boolean }) {
  const failed = useFailure("confirm_out");
  return (
    <Form action={MAIL_SETUP_PATH} name="confirm_out" token={token} className="grid gap-3">
      {failed ? <ErrorSummary title={failed.title} errors={failed.errors} /> : null}
      <input type="hidden" name="intent" value="confirm_out" />
      <Field name="code" label="Code in the test mail" error={failed?.errors.code}>
        <Input
          key={code}
          defaultValue={failed?.values.code ?? code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <div>
        <SubmitButton variant={isExpected ? "primary" : "quiet"}>It has arrived</SubmitButton>
      </div>
    </Form>
  );
}

const STATES = {
  right: { label: "Right", tone: "resolved" },
  wrong: { label: "Different", tone: "waiting" },
  unknown: { label: "Not known", tone: "closed" },
} as const satisfies Record<WantedRow["state"], { label: string; tone: Tone }>;

/** Lets names of hosts too long for a line break after a dot or @; shorter ones stay whole. */
const breakable = (text: string): ReactNode =>
  text.split(/(?<=\s)/).map((word) => (word.length > 24 ? word.split(/(?<=[.@])(?=\w)/).map(breakableAfter) : word));

const breakableAfter = (part: string, index: number) => (
  <Fragment key={index}>
    {index > 0 ? <wbr /> : null}
    {part}
  </Fragment>
);

const RecordText = ({ text, isLiteral = false }: { text: string; isLiteral?: boolean }) =>
  isLiteral ? <Mono>{breakable(text)}</Mono> : breakable(text);

const COLUMNS: Column<WantedRow>[] = [
  {
    label: "Record",
    header: true,
    wide: true,
    cell: ({ name, of }) => (
      <>
        {name}
        <small className="wrap-anywhere block text-ink-2 text-sm">{breakable(of)}</small>
      </>
    ),
  },
  {
    label: "Wanted",
    labelled: true,
    wide: true,
    cell: ({ wanted, literal }) => <RecordText text={wanted} isLiteral={literal?.wanted} />,
  },
  {
    label: "Found",
    labelled: true,
    wide: true,
    cell: ({ found, literal }) => (
      <span className="wrap-anywhere block md:min-w-20">
        <RecordText text={found} isLiteral={literal?.found} />
      </span>
    ),
  },
  {
    label: "State",
    labelled: true,
    wide: true,
    cell: ({ state, note }) => (
      <>
        <StatusPill {...STATES[state]} />
        {note ? <small className="wrap-anywhere mt-1 block text-ink-2 text-sm">{note}</small> : null}
      </>
    ),
  },
];
