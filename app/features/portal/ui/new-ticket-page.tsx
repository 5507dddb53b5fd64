import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { portalTitle } from "~/features/settings/brand";
import { NewTicketAside, NewTicketForm } from "~/features/tickets/opening/new-ticket-form";
import { CLIENT_TICKETS_PATH, NEW_TICKET_PATH } from "~/features/tickets/paths";
import { Breadcrumb, Page, RecordLayout } from "~/ui/page";
import type { LoadedNewTicket } from "../new-ticket.server";
import { NoOrganization } from "./no-organization";

const TITLE = "New ticket";

export const newTicketMeta: MetaFunction = (page) => [
  ...portalTitle(page, TITLE),
  { name: "robots", content: "noindex" },
  { tagName: "link", rel: "canonical", href: NEW_TICKET_PATH },
];

export function ClientNewTicketPage() {
  const page = useLoaderData<LoadedNewTicket>() as LoadedNewTicket;
  if (page.nextSteps) return <NoOrganization {...page.nextSteps} />;
  return (
    <Page
      title={TITLE}
      breadcrumb={<Breadcrumb items={[{ label: "Tickets", to: CLIENT_TICKETS_PATH }, { label: "New" }]} />}
    >
      <RecordLayout sidebar={<NewTicketAside {...page} />}>
        <NewTicketForm {...page} />
      </RecordLayout>
    </Page>
  );
}
