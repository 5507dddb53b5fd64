import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { MailList } from "~/features/inbound-mail/mail-list";
import { readMailList } from "~/features/inbound-mail/mail-list.server";
import { TRY_MAIL_PATH } from "~/features/inbound-mail/paths";
import { MAIL_SETUP_PATH } from "~/features/mail-setup/model";
import { adminTitle } from "~/features/settings/brand";
import { ButtonRow, LinkButton } from "~/ui/button";
import { Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, INBOUND_MAIL);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const setUpTo = can(actor, "settings.change") ? MAIL_SETUP_PATH : null;
  return json({ ...(await readMailList(context, actor)), setUpTo });
}

export default function MailPage() {
  const list = useLoaderData<typeof loader>();
  return (
    <Page
      title={INBOUND_MAIL}
      description="Mail that has become no message by itself."
      actions={
        <ButtonRow dense>
          <LinkButton variant="quiet" to={TRY_MAIL_PATH}>
            Try a mail
          </LinkButton>
          {list.setUpTo ? (
            <LinkButton variant="quiet" to={list.setUpTo}>
              Set-up
            </LinkButton>
          ) : null}
        </ButtonRow>
      }
    >
      <MailList {...list} />
    </Page>
  );
}
