import { Form, SubmitButton } from "~/ui/form";
import { VisuallyHidden } from "~/ui/text";

/** Lists the further addresses of a person. `token`: null: the reader may not remove them. */
export function OtherAddresses({
  emails,
  path,
  token,
}: {
  emails: readonly string[];
  path: string;
  token: string | null;
}) {
  return emails.map((email) => (
    <span key={email} className="wrap-anywhere flex flex-wrap items-center gap-x-3 text-ink-2">
      Writes from {email}, too
      {token ? (
        <Form action={path} token={token} name={`remove_address-${email}`}>
          <input type="hidden" name="address" value={email} />
          <SubmitButton variant="quiet" size="xs" intent="remove_address" pendingLabel="Removing...">
            Remove
            <VisuallyHidden>: {email}</VisuallyHidden>
          </SubmitButton>
        </Form>
      ) : null}
    </span>
  ));
}
