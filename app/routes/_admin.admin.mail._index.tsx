import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { readMailList } from "~/features/inbound-mail/mail-list.server";
import { MailList } from "~/features/inbound-mail/mail-page";
import { TRY_MAIL_PATH } from "~/features/inbound-mail/paths";
import { adminTitle } from "~/features/settings/brand";
import { keepingLoader } from "~/live/page-refresh";
import { LinkButton } from "~/ui/button";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/error-page";
export { revalidateWhenSaved as shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = (page) => adminTitle(page, INBOUND_MAIL);

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "ticket.handle");
  return json(await readMailList(context));
}

export default function MailPage() {
  const list = useLoaderData<typeof loader>();
  return (
    <Page
      title={INBOUND_MAIL}
      description="Mail that has become no message by itself."
      actions={
        <LinkButton variant="quiet" to={TRY_MAIL_PATH}>
          Try a mail
        </LinkButton>
      }
    >
      <MailList {...list} />
    </Page>
  );
}
