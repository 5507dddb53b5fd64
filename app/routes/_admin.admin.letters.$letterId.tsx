import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { letterActions } from "~/features/letters/actions.server";
import { letterhead } from "~/features/letters/compose-letter";
import { LetterForm, LetterState } from "~/features/letters/letter";
import { LetterContent } from "~/features/letters/letter-content";
import { LETTERS_PATH, letterFilePath, letterPath } from "~/features/letters/model";
import { countPages, findForStaff, letterAsRead } from "~/features/letters/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { effectiveBrand } from "~/features/settings/queries.server";
import { staffTicketPath } from "~/features/tickets/paths";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { LinkButton } from "~/ui/button";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, `Letter, ${page.data?.letter.title}`);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "letter.handle");
  const { stored, recipients } = orNotFound(await findForStaff(context, idParam("ltr", params.letterId)));
  const signed = letterAsRead(stored, { signedBy: actor.fullName, now: context.now() });
  const { id, version, words, metrics, released } = stored;
  return json({
    id,
    version,
    ...signed,
    sender: letterhead(await effectiveBrand(context)),
    zone: metrics.zone,
    words,
    recipients,
    pages: released ? 1 : await countPages(context, signed, stored),
    released: released && { at: released.at, by: released.by, recipients: released.recipients, hash: released.hash },
    token: formTokens(context, actor, letterActions).save ?? "",
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "letter.handle");
  return runFormAction(context, letterActions, { actor, request, params: { id: idParam("ltr", params.letterId) } });
}

export default function LetterPage() {
  const page = useLoaderData<typeof loader>();
  const { id, version, letter, released } = page;
  const title = `${letter.organization}, ${letter.title}`;
  return (
    <Page
      title={title}
      breadcrumb={<Breadcrumb dense items={[{ label: "Letters", to: LETTERS_PATH }, { label: letter.title }]} />}
      actions={
        <LinkButton variant="quiet" to={letterFilePath("staff", id)}>
          Export PDF
        </LinkButton>
      }
    >
      <LetterState {...page} />
      <div className="flex flex-wrap items-start gap-5 *:min-w-0 *:flex-[1_1_24rem]">
        <LetterContent {...page} ticketPath={staffTicketPath} />
        {released ? null : <LetterForm key={version} {...page} path={letterPath(id)} />}
      </div>
    </Page>
  );
}
