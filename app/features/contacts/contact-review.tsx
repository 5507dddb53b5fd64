import { ButtonRow } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { VisuallyHidden } from "~/ui/text";

export const NEW_CONTACT = "New – review";

export type ContactReviewTokens = Record<"confirm_contact" | "refuse_contact", string | null>;

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
          <SubmitButton variant="quiet" size="xs" name="intent" value="remove_address" pendingLabel="Removing...">
            Remove
            <VisuallyHidden>: {email}</VisuallyHidden>
          </SubmitButton>
        </Form>
      ) : null}
    </span>
  ));
}

type ContactReviewProps = { contact: { id: string; name: string }; path: string; tokens: ContactReviewTokens };

const BUTTONS = { confirm_contact: "Confirm", refuse_contact: "Not one of ours" } as const;

/** Asks whether somebody whom their first mail has made a contact is one of the organization. */
export function ContactReview({ contact: { id, name }, path, tokens }: ContactReviewProps) {
  return (
    <ButtonRow dense>
      {(["confirm_contact", "refuse_contact"] as const).map((intent) => {
        const token = tokens[intent];
        if (!token) return null;
        return (
          <Form key={intent} action={path} token={token} name={`${intent}-${id}`}>
            <input type="hidden" name="contact" value={id} />
            <SubmitButton variant="quiet" size="xs" name="intent" value={intent} pendingLabel="Saving...">
              {BUTTONS[intent]}
              <VisuallyHidden>: {name}</VisuallyHidden>
            </SubmitButton>
          </Form>
        );
      })}
    </ButtonRow>
  );
}
