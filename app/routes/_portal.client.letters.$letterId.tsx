import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { letterhead } from "~/features/letters/compose-letter";
import { LetterContent } from "~/features/letters/letter-content";
import { CLIENT_LETTERS_PATH, letterFilePath } from "~/features/letters/model";
import { findLetter, letterAsRead } from "~/features/letters/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { effectiveBrand } from "~/features/settings/queries.server";
import { clientTicketPath } from "~/features/tickets/paths";
import { idParam, orNotFound } from "~/platform/responses.server";
import { LinkButton } from "~/ui/button";
import { Breadcrumb, Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => portalTitle(page, `Letter, ${page.data?.letter.title}`);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "letter.read");
  const id = idParam("ltr", params.letterId);
  const stored = orNotFound(await findLetter(context.db, id, membership.organizationId));
  const sender = letterhead(await effectiveBrand(context));
  return json({ id, sender, ...letterAsRead(stored, { signedBy: "", now: context.now() }) });
}

export default function OwnLetterPage() {
  const { id, letter, sender, signedBy } = useLoaderData<typeof loader>();
  return (
    <Page
      title={letter.title}
      breadcrumb={<Breadcrumb dense items={[{ label: "Letters", to: CLIENT_LETTERS_PATH }, { label: letter.title }]} />}
      actions={
        <LinkButton variant="quiet" to={letterFilePath("client", id)}>
          Export PDF
        </LinkButton>
      }
    >
      <LetterContent letter={letter} sender={sender} signedBy={signedBy} ticketPath={clientTicketPath} />
    </Page>
  );
}
