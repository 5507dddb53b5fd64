import type { ReactNode } from "react";
import { Breadcrumb, Page } from "~/ui/page";
import { STAFF_TICKETS_PATH, staffTicketPath } from "../paths";

type StaffSubpageProps = { reference: string; title: string; crumb?: string; children: ReactNode };

/** A page about one of the tickets of staff, under the page of the ticket. */
export function StaffSubpage({ reference, title, crumb = title, children }: StaffSubpageProps) {
  const crumbs = [
    { label: "Tickets", to: STAFF_TICKETS_PATH },
    { label: reference, to: staffTicketPath(reference) },
    { label: crumb },
  ];
  return (
    <Page title={title} breadcrumb={<Breadcrumb dense items={crumbs} />}>
      {children}
    </Page>
  );
}
