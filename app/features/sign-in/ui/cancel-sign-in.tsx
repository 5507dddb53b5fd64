import { Form, SubmitButton } from "~/ui/form";

/** Shows the button that leads back to the site. It is a form and not a link because it ends the challenge. */
export function CancelSignIn({ action, token }: { action: string; token: string }) {
  return (
    <Form action={action} token={token} reloadDocument>
      <input type="hidden" name="intent" value="cancel" />
      <SubmitButton variant="ghost">Cancel</SubmitButton>
    </Form>
  );
}
