import type { ReactNode } from "react";
import { attachmentPath } from "~/features/attachments/model";
import type { ThreadMessage } from "~/features/conversation/model";
import { Entry, Thread } from "~/features/conversation/thread";
import { organizationPath } from "~/features/organizations/model";
import { withParams } from "~/lib/addresses";
import { TextButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { Form } from "~/ui/form";
import { Icon, TriangleAlert } from "~/ui/icon";
import { Link } from "~/ui/link";
import { DeliveryState } from "~/ui/message";
import { RecordLine } from "~/ui/page";
import { DueText } from "~/ui/status-pill";
import { Time, VisuallyHidden } from "~/ui/text";
import { LAST_SOLUTION } from "../model";
import { PriorityBadge, TicketStatusPill } from "../ui/badges";
import type { TicketPage } from "./actions.server";

export function TicketHead({ ticket, slas, zone, list }: Pick<TicketPage, "ticket" | "slas" | "zone" | "list">) {
  const { reference, title, status, priority, organization, creator, openedBy, writtenBy, isPrivate, createdAt } =
    ticket;
  const opener = openedBy ?? writtenBy;
  return (
    <header>
      <RecordLine
        items={[{ label: "Tickets", to: list.path }, { label: reference }]}
        previous={list.previous}
        next={list.next}
      />
      <h1 className="wrap-anywhere">{title}</h1>
      <p className="mt-1 flex max-w-none flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
        <TicketStatusPill status={status} />
        <PriorityBadge priority={priority} />
        <Link to={organizationPath(organization.id)}>{organization.name}</Link>
        <span>
          opened <Time at={createdAt} zone={zone} mode="short" /> by {opener ? `${opener.name} for ` : ""}
          {creator.name}
        </span>
        {isPrivate ? <span>Private: not seen by all colleagues</span> : null}
      </p>
      {slas.map((sla) => (
        <Sla key={sla.label} sla={sla} zone={zone} />
      ))}
    </header>
  );
}

function Sla({ sla: { label, due, paused, reasons }, zone }: { sla: TicketPage["slas"][number]; zone: string }) {
  return (
    <div className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <p className="max-w-none">
        <b>{label}:</b> {due ? <DueText due={due} /> : paused}
        {due ? (
          <span className="text-ink-2">
            {" "}
            (promised by <Time at={due.dueAt} zone={zone} mode="short" />)
          </span>
        ) : null}
      </p>
      <details className="text-sm open:w-full print:hidden">
        <summary className="cursor-pointer py-1 text-brand underline max-md:py-3">Why this time?</summary>
        <div className="mt-2 max-w-3xl">
          <FactList facts={reasons} terms="long" />
        </div>
      </details>
    </div>
  );
}

type OfMessage = (messageId: string) => ReactNode;

export function TicketThread({ headOf, belowOf, ...page }: TicketPage & { headOf: OfMessage; belowOf: OfMessage }) {
  const { thread, zone, sent, path, tokens, earlier, latest, isEarlier } = page;
  const lastSolution = thread.findLast(({ kind }) => kind === "solution");
  return (
    <Thread
      entries={thread}
      earlier={earlier ? { to: withParams(path, { before: earlier }), label: "Show earlier messages" } : null}
      latest={latest}
      later={isEarlier ? { to: path, label: "Show the latest messages" } : null}
    >
      {(entry) => (
        <Entry
          entry={entry}
          anchor={entry === lastSolution ? LAST_SOLUTION : undefined}
          isFresh={entry.id === sent?.id}
          zone={zone}
          pathOf={attachmentPath}
          end={
            entry.kind === "message" ? (
              <>
                <MailEnd message={entry} path={path} token={tokens.retry_mail} />
                {headOf(entry.id)}
              </>
            ) : null
          }
          below={
            <>
              {entry.id === sent?.id && sent.mentions ? <Mentioned {...sent.mentions} /> : null}
              {entry.kind === "message" ? belowOf(entry.id) : null}
            </>
          }
        />
      )}
    </Thread>
  );
}

const Mentioned = ({ notified, notNotified }: Record<"notified" | "notNotified", string | null>) => (
  <>
    {notified ? <p className="mt-1 font-semibold text-canary-ink text-sm">{notified}</p> : null}
    {notNotified ? (
      <p className="mt-1 flex items-start gap-[0.4rem] font-semibold text-sm text-warning">
        <Icon of={TriangleAlert} className="mt-[0.2em]" /> {notNotified}
      </p>
    ) : null}
  </>
);

type MailEndProps = { message: ThreadMessage; path: string; token: string | null };

function MailEnd({ message: { id, mail, notTo }, path, token }: MailEndProps) {
  if (!mail && !notTo) return null;
  return (
    <>
      {notTo ? <span className="wrap-anywhere text-ink-2">Not sent to {notTo}</span> : null}
      {mail ? <DeliveryState {...mail} /> : null}
      {token && mail?.state === "failed" ? (
        <Form action={path} token={token} name="retry_mail" reloadDocument className="print:hidden">
          <input type="hidden" name="message" value={id} />
          <TextButton type="submit" name="intent" value="retry_mail">
            Retry
            <VisuallyHidden> the mail about this reply</VisuallyHidden>
          </TextButton>
        </Form>
      ) : null}
    </>
  );
}
