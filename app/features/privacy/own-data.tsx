import { TRANSFER_PATH } from "~/features/organization-settings/model";
import { ButtonRow, LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Time } from "~/ui/text";
import { OWN_DATA_PATH, ownFilePath } from "./model";
import type { readOwnData } from "./own-data.server";

export function OwnData({ hasProof }: { hasProof: boolean }) {
  return (
    <section className="grid justify-items-start gap-3" aria-labelledby="download">
      <h2 id="download" className="text-section">
        Download your data
      </h2>
      <p>
        One ZIP file with your account, sessions and choices, your tickets and messages, what you sent through our
        contact form, and your files. It holds nothing that others wrote for themselves.
      </p>
      {hasProof ? null : <p className="text-ink-2 text-sm">We ask for your password first.</p>}
      <LinkButton variant="quiet" to={ownFilePath()}>
        Download my data
      </LinkButton>
    </section>
  );
}

type CloseAccountProps = Omit<Awaited<ReturnType<typeof readOwnData>>, "hasProof" | "hasErrors">;

export function CloseAccount({ requestedAt, obstacle, zone, token }: CloseAccountProps) {
  return (
    <section className="grid justify-items-start gap-3" aria-labelledby="close">
      <h2 id="close" className="text-section">
        Close your account
      </h2>
      {requestedAt !== null ? (
        <>
          <p>
            You asked for it on <Time at={requestedAt} zone={zone} mode="date" />. We look at it and tell you by mail.
            Until then nothing changes.
          </p>
          <Form action={OWN_DATA_PATH} token={token} reloadDocument>
            <input type="hidden" name="intent" value="keep" />
            <SubmitButton variant="quiet">Keep my account</SubmitButton>
          </Form>
        </>
      ) : obstacle ? (
        <p>
          {obstacle.text} {obstacle.code === "sole_owner" ? <Link to={TRANSFER_PATH}>Transfer ownership</Link> : null}
        </p>
      ) : (
        <>
          <p>
            Our team looks at it first. Then your account, your address and your name are erased for good. What you
            wrote on tickets stays with your organization, as the words of a former member.
          </p>
          <ButtonRow dense>
            <Form action={OWN_DATA_PATH} token={token} reloadDocument>
              <input type="hidden" name="intent" value="close" />
              <SubmitButton variant="danger">Ask to close my account</SubmitButton>
            </Form>
          </ButtonRow>
        </>
      )}
    </section>
  );
}
