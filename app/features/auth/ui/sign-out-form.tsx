import { Form } from "~/ui/form";

/** Signing out changes something, so it is a form. Its answer leaves the signed-in areas, so it loads a new document. */
export function SignOutForm({ token }: { token: string }) {
  return (
    <Form action="/logout" token={token} reloadDocument>
      <button type="submit">Sign Out</button>
    </Form>
  );
}
