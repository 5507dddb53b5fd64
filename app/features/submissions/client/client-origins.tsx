import { FileLink } from "~/features/attachments/file-link";
import { attachmentPath } from "~/features/attachments/model";
import { useBrand } from "~/features/settings/brand";
import { formatCents } from "~/lib/numbers";
import { plural } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { Sheet, SheetRows } from "~/ui/page";
import { Mono, Time } from "~/ui/text";
import { submissionPath } from "../subject";
import type { ClientOrigin } from "./make-client.server";

type ClientMadeProps = {
  name: string;
  /** `until`: when it cannot be taken back any more. `isNew`: the client was made, and its owner is invited. */
  undo: { path: string; until: string; token: string; ticketPath: string; isNew: boolean };
};

export function ClientMade({ name, undo: { path, until, token, ticketPath, isNew } }: ClientMadeProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-2 border border-success-line border-l-4 border-l-success bg-success-tint px-4 py-3">
      <LinkButton size="sm" to={ticketPath}>
        {isNew ? "Open the first ticket" : "Open ticket"}
      </LinkButton>
      <Form action={path} token={token} name="undo">
        <SubmitButton variant="quiet" size="sm" intent="undo" pendingLabel="Taking back...">
          Undo<span className="sr-only">{isNew ? ` that ${name} is a client` : ` that it belongs to ${name}`}</span>
        </SubmitButton>
      </Form>
      <span className="text-ink-2 text-sm">
        until {until}
        {isNew ? "; then the owner's invitation leaves" : null}
      </span>
    </div>
  );
}

export function ClientOrigins({ origins, zone }: { origins: readonly ClientOrigin[]; zone: string }) {
  const { planNames } = useBrand();
  if (origins.length === 0) return null;
  return (
    <Sheet id="origins" title="How they came">
      <SheetRows>
        {origins.map(({ id, number, name, message, submittedAt, estimate, file, replies }) => (
          <li key={id} className="grid gap-1">
            <span>
              <Link to={submissionPath(id)}>
                <Mono>{number}</Mono> {name}
              </Link>
              , <Time at={submittedAt} zone={zone} mode="date" />
            </span>
            {message ? (
              <UserText size="sm">{message.length > 300 ? `${message.slice(0, 300)}…` : message}</UserText>
            ) : null}
            {file ? (
              <span>
                <FileLink {...file} path={attachmentPath(file.id)} />
              </span>
            ) : null}
            <span className="text-ink-2 text-sm">
              {replies === 0 ? "No reply yet" : plural(replies, "reply", "replies")}
              {estimate
                ? `; estimate: ${planNames[estimate.choice.plan]}, ${plural(estimate.choice.users, "user")}, ${formatCents(estimate.total)} a month`
                : null}
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
