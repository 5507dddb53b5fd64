import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { MESSAGES_FAILED } from "~/features/conversation/messages.server";
import { SentBefore } from "~/features/conversation/undo";
import { HeldMailOfTicket, MailAtHead, MailOfMessage } from "~/features/inbound-mail/mail-of-message";
import { readMailOfTicket } from "~/features/inbound-mail/mail-page.server";
import { adminTitle } from "~/features/settings/brand";
import { ProposedCopies } from "~/features/tickets/cc/proposed-copies";
import { listColleaguesOfStaff } from "~/features/tickets/internal-note.server";
import { ticketActions } from "~/features/tickets/record/actions.server";
import { TicketComposer } from "~/features/tickets/record/composer";
import { listedTicketPath, readTicket } from "~/features/tickets/record/read-ticket.server";
import { ClientSidebar, RequesterPanel, TicketProperties } from "~/features/tickets/record/sidebar";
import { TicketHead, TicketThread } from "~/features/tickets/record/thread";
import { readOrFail, readOrNull } from "~/features/workspace/load-list.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";
import { RecordLayout } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const handle = { hasReply: true };

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, page.data ? `${page.data.ticket.reference} ${page.data.ticket.title}` : "Ticket");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.view");
  const { searchParams } = context.request.url;
  const ref = ticketParam(params.ticket);
  const staffRead = readOrNull(context, "staff_failed", listColleaguesOfStaff(context.db, ref));
  const reading = readTicket(context, actor, { ref, params: searchParams, staffRead });
  const mail = readOrNull(context, "mail_failed", readMailOfTicket(context, ref));
  const found = orNotFound(await readOrFail(context, MESSAGES_FAILED, reading));
  const more = { tokens: formTokens(context, actor, ticketActions), hasErrors: context.form.isRejected };
  return json({ ...found, ...more, mail: await mail });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.view");
  const ticket = ticketParam(params.ticket);
  const path = listedTicketPath(ticket, context.request.url.searchParams);
  return runFormAction(context, ticketActions, { actor, request, params: { ticket, path } });
}

export default function TicketPage() {
  const page = useLoaderData<typeof loader>();
  const { ticket, path, sentBefore, proposedCc, mail, tokens } = page;
  return (
    <div>
      <TicketHead {...page} />
      <SentBefore key={sentBefore?.undoable.id} sent={sentBefore} token={tokens.undo} />
      <RecordLayout
        key={ticket.id}
        sidebar={
          <aside className="grid gap-4" aria-label="About this ticket">
            <RequesterPanel {...page} />
            <TicketProperties {...page} />
            <ClientSidebar {...page} />
          </aside>
        }
      >
        <TicketThread
          {...page}
          headOf={(id) => <MailAtHead id={id} mail={mail} path={path} />}
          belowOf={(id) => <MailOfMessage id={id} mail={mail} />}
        />
        <HeldMailOfTicket mail={mail} />
        <ProposedCopies proposed={proposedCc} path={path} token={tokens.add_proposed} />
        <TicketComposer {...page} />
      </RecordLayout>
    </div>
  );
}
