import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";

type HeldNoticeProps = {
  /** Says why it is held, in words. */
  reason: string;
  /** Holds the address of the page, which takes the form. */
  path: string;
  /** Holds the token of the form; `null` where the reader may not release it. */
  token: string | null;
};

/** Tells why nobody was told about it, and offers to release it. */
export function HeldNotice({ reason, path, token }: HeldNoticeProps) {
  return (
    <div className="mb-4 grid gap-2">
      <Notice
        kind="warning"
        title="Held for review."
        message={`Reason: ${reason}. It is not counted, and no mail about it was sent.`}
      />
      {token ? (
        <Form action={path} token={token} name="release" className="print:hidden">
          <SubmitButton size="sm" name="intent" value="release" pendingLabel="Releasing...">
            Not spam
          </SubmitButton>
        </Form>
      ) : null}
    </div>
  );
}
