import { ButtonRow } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { VisuallyHidden } from "~/ui/text";

export const NEW_CONTACT = "New – review";

export type ContactReviewTokens = Record<"confirm_contact" | "refuse_contact", string | null>;

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
            <SubmitButton variant="quiet" size="xs" intent={intent} pendingLabel="Saving...">
              {BUTTONS[intent]}
              <VisuallyHidden>: {name}</VisuallyHidden>
            </SubmitButton>
          </Form>
        );
      })}
    </ButtonRow>
  );
}
