import { SIGN_OUT_PATH } from "~/lib/addresses";
import { Form } from "~/ui/form";

/** Shows the sign-out button. It is a form because it changes data, and it loads a new document to leave the area. */
export function SignOutForm({ token }: { token: string }) {
  return (
    <Form action={SIGN_OUT_PATH} token={token} reloadDocument>
      <button type="submit">Sign Out</button>
    </Form>
  );
}
