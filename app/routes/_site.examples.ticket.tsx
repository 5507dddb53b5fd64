import type { MetaFunction } from "@remix-run/cloudflare";
import { assessmentInvitation } from "~/content/home";
import { TICKET_PATH, WholeTicket } from "~/features/site/exhibits";
import { pageMeta } from "~/features/site/seo";
import { InvitationBand } from "~/features/site/site-page";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "A ticket, with its promise",
    description:
      "An example of a ticket as our clients see it: when we promise an answer, why then, and what was said.",
    path: TICKET_PATH,
  });

export default function ExampleTicketPage() {
  return (
    <>
      <WholeTicket />
      <InvitationBand {...assessmentInvitation} />
    </>
  );
}
