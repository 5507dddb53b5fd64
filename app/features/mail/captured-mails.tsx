import { FactList } from "~/ui/fact-list";
import { Filters } from "~/ui/filters";
import { Field, Input } from "~/ui/form";
import { UserText } from "~/ui/message";
import { Box, ContentArea, EmptyState, Page } from "~/ui/page";
import { Time } from "~/ui/text";
import { CAPTURED_MAIL_PATH, type CapturedMail, MAIL_STATUS_LABELS } from "./model";

type CapturedMailsProps = {
  to: string | null;
  mails: readonly CapturedMail[];
};

/** Shows mails that stayed on this machine. Their HTML is shown as source: nothing in a mail may act on this page. */
export function CapturedMails({ to, mails }: CapturedMailsProps) {
  return (
    <ContentArea as="main" id="main" tabIndex={-1}>
      <Page title="Captured mail" description="Mail that was not sent but kept here, newest first. Times are in UTC.">
        <Filters label="Captured mail" action={CAPTURED_MAIL_PATH} values={{ to: to ?? "" }}>
          <Field name="to" label="Recipient, exact">
            <Input type="email" placeholder="Recipient, exact" defaultValue={to ?? ""} autoComplete="off" />
          </Field>
        </Filters>
        {mails.length === 0 ? (
          <EmptyState
            title={to ? `No mail to ${to}` : "No mail yet"}
            body="A mail appears here a moment after the action that sends it."
          />
        ) : (
          <ol>
            {mails.map((mail) => (
              <li key={mail.id}>
                <MailArticle mail={mail} />
              </li>
            ))}
          </ol>
        )}
      </Page>
    </ContentArea>
  );
}

function MailArticle({ mail }: { mail: CapturedMail }) {
  const headers = Object.entries(mail.headers).map(([term, detail]) => ({ term, detail }));
  return (
    <article className="mt-4" id={mail.id} aria-labelledby={`${mail.id}-subject`}>
      <Box>
        <h2 id={`${mail.id}-subject`} className="text-lg!">
          {mail.subject}
        </h2>
        <FactList
          terms="long"
          facts={[
            { term: "To", detail: mail.to },
            { term: "From", detail: mail.from },
            { term: "Written", detail: <Time at={mail.created_at} zone="UTC" /> },
            { term: "State", detail: MAIL_STATUS_LABELS[mail.status] },
            ...headers,
          ]}
        />
        <UserText className="mt-4">{mail.text}</UserText>
        <details className="mt-4">
          <summary>HTML of this mail, as source</summary>
          <UserText as="pre" className="font-medium font-mono">
            {mail.html}
          </UserText>
        </details>
      </Box>
    </article>
  );
}
