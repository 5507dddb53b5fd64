import { Form, SubmitButton } from "~/ui/form";

/** Back to the credentials. It ends a sign-in that has begun, so it is a form and no link. */
export function CancelSignIn({ action, token }: { action: string; token: string }) {
  return (
    <Form action={action} token={token} reloadDocument>
      <input type="hidden" name="intent" value="cancel" />
      <SubmitButton variant="ghost">Cancel</SubmitButton>
    </Form>
  );
}
